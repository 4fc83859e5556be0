/** Conversion of digits between the scripts that keyboards write. */

/** The first digit of each script that a keyboard writes: Latin, Arabic-Indic, Persian. */
const ZEROS = [0x30, 0x660, 0x6f0];

/** The text with all of its digits in the script of `zero`, the code point of its zero. */
export function withDigitsOf(zero: number, text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const own = ZEROS.find((first) => code >= first && code <= first + 9);
    return own === undefined ? digit : String.fromCodePoint(zero + code - own);
  });
}

/** The text with all of its digits as 0 to 9. */
export function withLatinDigits(text: string): string {
  return withDigitsOf(0x30, text);
}
