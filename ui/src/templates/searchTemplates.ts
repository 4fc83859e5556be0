/** Search in templates by name and buyer, in both languages. */

import type { TemplateView } from "../ipc/bindings";
import { queryWords } from "../organizations/search";
import { matchAny } from "../palette/fuzzy";

/** Those that fit every word, in the order of the list: what was used last comes first. */
export function searchTemplates(templates: readonly TemplateView[], text: string): readonly TemplateView[] {
  const words = queryWords(text);
  return templates.filter(({ name, buyer }) => matchAny([name, buyer.en, buyer.ar], words, false) !== null);
}
