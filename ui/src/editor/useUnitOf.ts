/** Units by the words that people write for them. */

import { useCallback } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { units } from "./invoiceLines";

/** Words beside the names in the language of the window, in lower case. */
const WORDS: Readonly<Record<string, (typeof units)[number]>> = {
  pc: "C62",
  pcs: "C62",
  piece: "C62",
  pieces: "C62",
  ea: "C62",
  each: "C62",
  unit: "C62",
  units: "C62",
  قطعة: "C62",
  حبة: "C62",
  وحدة: "C62",
  hr: "HUR",
  hour: "HUR",
  hours: "HUR",
  ساعة: "HUR",
  day: "DAY",
  days: "DAY",
  يوم: "DAY",
  month: "MON",
  months: "MON",
  شهر: "MON",
  kg: "KGM",
  كجم: "KGM",
  كغ: "KGM",
  كيلو: "KGM",
  ton: "TNE",
  طن: "TNE",
  l: "LTR",
  litre: "LTR",
  liter: "LTR",
  لتر: "LTR",
  m: "MTR",
  meter: "MTR",
  متر: "MTR",
  "m²": "MTK",
  m2: "MTK",
  "m³": "MTQ",
  m3: "MTQ",
  km: "KMT",
  كم: "KMT",
  set: "SET",
  طقم: "SET",
  box: "XBX",
  boxes: "XBX",
  // The code of Recommendation 21, as others write it.
  bx: "XBX",
  علبة: "XBX",
  كرتون: "XBX",
  صندوق: "XBX",
};

/** The code of a unit by its code, its name in the language of the window, or a usual word. `null` if none is known. */
export function useUnitOf(): (text: string) => string | null {
  const { t } = useLocalizer();
  return useCallback(
    (text: string) => {
      const word = text.trim().toLowerCase();
      const named = units.find((unit) => unit.toLowerCase() === word || t(`unit-${unit}`).toLowerCase() === word);
      return named ?? WORDS[word] ?? null;
    },
    [t],
  );
}
