/** Texts that an invoice has in two languages. */

import type { Language, LocalizedText } from "../ipc/bindings";

/** The text in the language, or else in the other. */
export function localizedText(text: LocalizedText, language: Language): string {
  return text[language] === "" ? text[language === "ar" ? "en" : "ar"] : text[language];
}
