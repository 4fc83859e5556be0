/** Calendar dates in the local time zone, as `2026-11-14`. */

export function toIsoDate(day: Date): string {
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
