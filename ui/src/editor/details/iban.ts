/** The check digits of an IBAN (ISO 13616, ISO 7064 MOD 97-10): the hint while typing of what the rule INV-IBAN refuses. */

/** Whether a text has the form of an IBAN and its check digits do not fit. Other texts are account numbers of another kind. */
export function isMistypedIban(text: string): boolean {
  const account = text.replace(/[\s-]/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account)) return false;
  let remainder = 0;
  for (const sign of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder !== 1;
}
