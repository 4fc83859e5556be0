/** What a new document may repeat, as the forms handle it. */

import type { SimilarDocuments } from "../ipc/bindings";

export const nothingSimilar: SimilarDocuments = { documents: [], waiting: [], offline: false };

/** The keys of all that is similar; of a draft that waits, the key that its document will have. */
export function similarKeys({ documents, waiting }: SimilarDocuments): string[] {
  return [...documents, ...waiting].map(({ key }) => key);
}
