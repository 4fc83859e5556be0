/** Units by the words that people write for them, and by their codes. */

import { unitCodes } from "../ipc/invoiceCodes";
import { normalizeForSearch } from "../organizations/search";

/** The names of units in both languages, and other words for them. A table may come in the language that the window does not have. */
export const unitWords: Readonly<Record<string, readonly string[]>> = {
  C62: ["piece", "pieces", "pc", "pcs", "unit", "units", "قطعة", "قطع", "حبة", "حبات", "وحدة"],
  EA: ["each", "الواحدة"],
  PR: ["pair", "pairs", "زوج"],
  DZN: ["dozen", "dz", "دزينة", "درزن"],
  SET: ["set", "sets", "طقم", "أطقم"],
  SEC: ["second", "seconds", "ثانية"],
  MIN: ["minute", "minutes", "mins", "دقيقة", "دقائق"],
  HUR: ["hour", "hours", "hr", "hrs", "ساعة", "ساعات"],
  DAY: ["day", "days", "يوم", "أيام"],
  WEE: ["week", "weeks", "أسبوع", "أسابيع"],
  MON: ["month", "months", "شهر", "أشهر", "شهور"],
  QAN: ["quarter", "quarters", "ربع سنة", "ربع سنوي"],
  ANN: ["year", "years", "yr", "yrs", "سنة", "سنوات"],
  MGM: ["mg", "milligram", "milligrams", "مجم"],
  GRM: ["g", "gr", "gm", "gram", "grams", "جرام", "غرام", "جم"],
  KGM: ["kg", "kgs", "kilo", "kilogram", "kilograms", "كجم", "كغ", "كيلو", "كيلوجرام"],
  TNE: ["tonne", "tonnes", "ton", "tons", "طن", "أطنان"],
  ONZ: ["ounce", "ounces", "oz", "أونصة"],
  LBR: ["pound", "pounds", "lb", "lbs", "رطل"],
  MLT: ["ml", "millilitre", "milliliter", "مل", "مليلتر"],
  LTR: ["litre", "litres", "liter", "liters", "l", "لتر"],
  GLL: ["US gallon", "gallon", "gallons", "جالون أمريكي", "جالون", "غالون"],
  BLL: ["barrel", "barrels", "bbl", "برميل", "براميل"],
  MMT: ["mm", "millimetre", "millimeter", "مم"],
  CMT: ["cm", "centimetre", "centimeter", "سم"],
  MTR: ["metre", "metres", "meter", "meters", "m", "متر", "أمتار"],
  KMT: ["km", "kilometre", "kilometer", "كم", "كيلومتر"],
  INH: ["inch", "inches", "بوصة"],
  FOT: ["foot", "feet", "ft", "قدم"],
  YRD: ["yard", "yards", "yd", "ياردة"],
  SMI: ["mile", "miles", "ميل"],
  MTK: ["m²", "m2", "sqm", "square metre", "square meter", "م²", "متر مربع"],
  FTK: ["ft²", "sqft", "square foot", "square feet", "قدم مربعة"],
  MTQ: ["m³", "m3", "cbm", "cubic metre", "cubic meter", "م³", "متر مكعب"],
  FTQ: ["ft³", "cubic foot", "cubic feet", "قدم مكعبة"],
  KWT: ["kW", "kilowatt", "كيلوواط"],
  KWH: ["kWh", "kilowatt hour", "كيلوواط ساعة"],
  MWH: ["MWh", "megawatt hour", "ميجاواط ساعة"],
  XBX: ["box", "boxes", "bx", "صندوق", "صناديق", "علبة"],
  XCT: ["carton", "cartons", "ctn", "كرتون", "كرتونة"],
  XPK: ["package", "packages", "pack", "packs", "pkg", "عبوة", "عبوات"],
  XPX: ["pallet", "pallets", "منصة نقالة", "طبلية", "بالتة", "باليت"],
  XBG: ["bag", "bags", "كيس", "أكياس"],
  XBO: ["bottle", "bottles", "قارورة", "زجاجة"],
  XCR: ["crate", "crates", "قفص"],
  XRO: ["roll", "rolls", "لفة", "رول"],
  XTU: ["tube", "tubes", "أنبوب"],
  XST: ["sheet", "sheets", "لوح"],
  XCN: ["container", "containers", "حاوية", "حاويات"],
  E48: ["service unit", "service units", "وحدة خدمة"],
  LS: ["lump sum", "lumpsum", "مبلغ مقطوع", "مقطوعية"],
  P1: ["percent", "نسبة مئوية"],
};

const byWord = new Map<string, string>();
for (const [code, words] of Object.entries(unitWords)) {
  for (const word of [code, ...words]) byWord.set(normalizeForSearch(word), code);
}
const codes: ReadonlySet<string> = new Set(unitCodes.split(" "));

/** The code of a unit that is written in words, or by the code of one that has a name. `null` if none is known. */
export function namedUnitOf(text: string): string | null {
  return byWord.get(normalizeForSearch(text.trim())) ?? null;
}

/**
 * The code of a unit by words, or by any code of the list as it is written. Words come first: whoever writes `KGS` means kilograms, and not
 * kilograms for each second. `null` if none is known.
 */
export function unitOf(text: string): string | null {
  const code = text.trim();
  return namedUnitOf(code) ?? (codes.has(code) ? code : null);
}
