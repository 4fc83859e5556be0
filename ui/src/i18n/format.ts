/** Formatters for money, numbers, dates and times. Amounts are decimal strings and are never converted to floating point. */

import type { CurrencyDisplay } from "../ipc/bindings";
import { otherMinorUnits } from "../ipc/minorUnits";

/** Currencies whose minor unit does not have two digits. */
const MINOR_UNITS = new Map<string, number>();
for (const [digits, codes] of Object.entries(otherMinorUnits)) {
  for (const code of codes.split(" ")) MINOR_UNITS.set(code, Number(digits));
}

export interface Formatters {
  /** As `SAR 23,000.00`; empty for an empty amount. */
  money(amount: string, currency: string): string;
  /** The code of a currency, or its sign if that is preferred and it has one in the language. */
  currency(code: string): string;
  /** As `23,000.00`, with the digits of the currency's minor unit or more if the amount has more. */
  amount(amount: string, currency: string): string;
  /** A decimal with all of its digits. */
  decimal(value: string): string;
  /** A percentage: `15 %`, in Arabic `15٪`. */
  percent(value: string): string;
  integer(value: number): string;
  /** `14 Nov 2026` for `2026-11-14`; empty for an empty date. */
  date(date: string): string;
  /** `14 Nov`, with the year if it is not that of `today`, a date as the other one. */
  shortDate(date: string, today: string): string;
  /** `14 Nov 2026, 10:42` for an RFC 3339 time, in the local time zone. */
  dateTime(time: string): string;
  /** As `10:42`, in the local time zone. */
  time(time: string): string;
  /** As `3 days ago`, from the time to `now`. Empty for a value that is not a time. */
  age(time: string, now: Date): string;
  /** As `Issued, Frozen`. */
  list(values: readonly string[]): string;
  /** Seconds as `0:14`. */
  countdown(seconds: number): string;
}

export function createFormatters(locale: string, display: CurrencyDisplay = "code"): Formatters {
  const integers = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  // Arabic has no short names of the months of this calendar, and two of them are too long for a column.
  const shortMonth = locale.startsWith("ar") && locale.includes("islamic") ? "numeric" : "short";
  const daysWithoutYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: shortMonth, timeZone: "UTC" });
  const dateTimes = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const times = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const ages = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const years = new Intl.DateTimeFormat(locale, { year: "numeric", timeZone: "UTC" });
  const yearOf = (date: string) => formatDate(date, (day) => years.format(day));
  const signs = new Map<string, string>();
  const decimals = new Map<number, Intl.NumberFormat>();

  function formatDecimal(value: string, minDigits: number): string {
    const { negative, digits } = splitSign(value);
    if (!/^\d+(\.\d+)?$/.test(digits)) return value;
    const fraction = Math.max(minDigits, digits.split(".")[1]?.length ?? 0);
    let format = decimals.get(fraction);
    if (!format) {
      format = new Intl.NumberFormat(locale, { minimumFractionDigits: fraction, maximumFractionDigits: fraction });
      decimals.set(fraction, format);
    }
    return (negative ? "\u2212" : "") + format.format(digits as Intl.StringNumericLiteral);
  }
  const currency = (code: string) => {
    if (display === "code") return code;
    const sign = signs.get(code) ?? currencySign(locale, code);
    signs.set(code, sign);
    return sign;
  };
  const amount = (value: string, code: string) => formatDecimal(value, minorUnits(code));

  return {
    amount,
    currency,
    money: (value, code) => (value === "" ? "" : `${currency(code)}\u00a0${amount(value, code)}`),
    decimal: (value) => formatDecimal(value, 0),
    percent: (value) => formatDecimal(value, 0) + (locale.startsWith("ar") ? "\u066a" : "\u00a0%"),
    integer: (value) => integers.format(value),
    date: (date) => formatDate(date, (day) => days.format(day)),
    shortDate: (date, today) => formatDate(date, (day) => (yearOf(date) === yearOf(today) ? daysWithoutYear : days).format(day)),
    dateTime: (time) => formatTime(time, dateTimes),
    time: (time) => formatTime(time, times),
    age: (time, now) => formatAge(Date.parse(time) - now.getTime(), ages),
    list: (values) => values.join(locale.startsWith("ar") ? "، " : ", "),
    countdown: (seconds) => `${integers.format(Math.floor(seconds / 60))}:${twoDigits.format(seconds % 60)}`,
  };
}

export function minorUnits(currency: string): number {
  return MINOR_UNITS.get(currency) ?? 2;
}

/** As `ر.س` or `€`; the code for a currency without a sign of its own in the language. */
function currencySign(locale: string, code: string): string {
  try {
    const options = { style: "currency", currency: code, currencyDisplay: "narrowSymbol" } as const;
    const part = new Intl.NumberFormat(locale, options).formatToParts(0).find(({ type }) => type === "currency");
    const sign = (part?.value ?? code).replace(/[\u200e\u200f\u061c]/g, "");
    // Digits behind Arabic letters would count as part of them, and the sign would move to the other side of the amount.
    return /\p{Script=Arabic}/u.test(sign) ? `${sign.replace(/\.$/, "")}\u200e` : sign;
  } catch {
    return code;
  }
}

function formatDate(date: string, format: (day: Date) => string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? date : format(day);
}

/** A value that is not a time is returned unchanged. */
function formatTime(time: string, format: Intl.DateTimeFormat): string {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? time : format.format(moment);
}

const AGE_UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** The largest whole unit. Less than a minute, and a time in the future, count as this minute. */
function formatAge(milliseconds: number, format: Intl.RelativeTimeFormat): string {
  if (Number.isNaN(milliseconds)) return "";
  const [unit, size] = AGE_UNITS.find(([, length]) => -milliseconds >= length) ?? AGE_UNITS[2];
  return format.format(Math.min(0, Math.ceil(milliseconds / size)), unit);
}

/** The sign of a decimal, and its digits without the sign. */
export function splitSign(value: string): { negative: boolean; digits: string } {
  const negative = /^[-\u2212]/.test(value);
  return { negative, digits: negative ? value.slice(1) : value };
}
