/** Formats for money, numbers, dates and times. Amounts are decimal strings and never become floats. */

/** ISO 4217 currencies whose minor unit has not two digits. */
const MINOR_UNITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};

export interface Formatters {
  /** `SAR 23,000.00`; empty for an empty amount. */
  money(amount: string, currency: string): string;
  /** `23,000.00`, with at least the currency's minor digits and never fewer than the amount has. */
  amount(amount: string, currency: string): string;
  /** A decimal with as many digits as it has. */
  decimal(value: string): string;
  integer(value: number): string;
  /** `14 Nov 2026` of `2026-11-14`; empty for an empty date. */
  date(date: string): string;
  /** `14 Nov`, and with the year if it is not this one. */
  shortDate(date: string, today: Date): string;
  /** `14 Nov 2026, 10:42` of an RFC 3339 time, in this computer's zone. */
  moment(time: string): string;
  /** `10:42` */
  clock(time: string): string;
  /** `Issued, Frozen` */
  list(values: readonly string[]): string;
  /** `0:14` of seconds. */
  countdown(seconds: number): string;
}

export function createFormatters(locale: string): Formatters {
  const integers = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  const daysOfYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const moments = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const clocks = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const decimals = new Map<number, Intl.NumberFormat>();

  function fixed(value: string, least: number): string {
    const { negative, digits } = splitSign(value);
    if (!/^\d+(\.\d+)?$/.test(digits)) return value;
    const fraction = Math.max(least, digits.split(".")[1]?.length ?? 0);
    let format = decimals.get(fraction);
    if (!format) {
      format = new Intl.NumberFormat(locale, { minimumFractionDigits: fraction, maximumFractionDigits: fraction });
      decimals.set(fraction, format);
    }
    return (negative ? "\u2212" : "") + format.format(digits as Intl.StringNumericLiteral);
  }
  const amount = (value: string, currency: string) => fixed(value, minorUnits(currency));

  return {
    amount,
    money: (value, currency) => (value === "" ? "" : `${currency}\u00a0${amount(value, currency)}`),
    decimal: (value) => fixed(value, 0),
    integer: (value) => integers.format(value),
    date: (date) => dated(date, (day) => days.format(day)),
    shortDate: (date, today) =>
      dated(date, (day) => (day.getUTCFullYear() === today.getFullYear() ? daysOfYear : days).format(day)),
    moment: (time) => timed(time, moments),
    clock: (time) => timed(time, clocks),
    list: (values) => values.join(locale.startsWith("ar") ? "، " : ", "),
    countdown: (seconds) => `${integers.format(Math.floor(seconds / 60))}:${twoDigits.format(seconds % 60)}`,
  };
}

export function minorUnits(currency: string): number {
  return MINOR_UNITS[currency] ?? 2;
}

function dated(date: string, format: (day: Date) => string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? date : format(day);
}

/** A time that cannot be read is shown as it came, and never as another. */
function timed(time: string, format: Intl.DateTimeFormat): string {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? time : format.format(moment);
}

/** A decimal's sign and its digits without it. */
export function splitSign(value: string): { negative: boolean; digits: string } {
  const negative = /^[-\u2212]/.test(value);
  return { negative, digits: negative ? value.slice(1) : value };
}
