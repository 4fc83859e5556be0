/** Texts of an invoice in two languages. */

import type { Language, LocalizedText } from "../ipc/bindings";

/** The text in the given language, or in the other one if it is empty. */
export function localizedText(text: LocalizedText, language: Language): string {
  return text[language] === "" ? text[language === "ar" ? "en" : "ar"] : text[language];
}
