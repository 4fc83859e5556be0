/** The texts on the paper of a document that are not in Arabic, which a tax invoice of Saudi Arabia has to be in. */

import type { InvoiceContent, LocalizedText, OrganizationView } from "../ipc/bindings";

const ARABIC = /\p{Script=Arabic}/u;

/** The paths of the fields for the Arabic text, in the order of the form: of the names, descriptions and notes that have another text only. */
export function fieldsWithoutArabic({ buyer, lines, note, noteAr }: InvoiceContent): string[] {
  return [
    ...(lacksArabic(buyer.name) ? ["buyer.name.ar"] : []),
    ...lines.flatMap(({ description }, index) => (lacksArabic(description) ? [`lines[${index}].description.ar`] : [])),
    ...(lacksArabic({ ar: noteAr, en: note }) ? ["noteAr"] : []),
  ];
}

/** A number in both languages is the same text, and so is what was written in Arabic in the other field. */
function lacksArabic({ ar, en }: LocalizedText): boolean {
  return ar.trim() === "" && /\p{Letter}/u.test(en) && !ARABIC.test(en);
}

/** Whether the service knows the name of the organization, but none in Arabic. */
export function isSellerWithoutArabic({ timeZone, foundBy, aliased }: OrganizationView): boolean {
  // It is told with the names.
  const isTold = timeZone !== "";
  // An alias, the first of them, is on no paper.
  const names = aliased ? foundBy.slice(1) : foundBy;
  return isTold && !names.some((name) => ARABIC.test(name));
}
