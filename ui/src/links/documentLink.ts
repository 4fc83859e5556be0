/** Links to documents. The core reads them; their form is decision 0143. */

const SCHEME = "com.invoicedesk.desktop:";
/** Characters of the longest link. */
const MAX_LENGTH = 200;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** The link that opens a document in a window of its organization. */
export function documentLink(organization: string, key: string): string {
  return `${SCHEME}/documents/${organization}/${key}`;
}

/** The link or document key that a text consists of; `null` for any other text. */
export function linkIn(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return null;
  return trimmed.startsWith(SCHEME) || UUID.test(trimmed) ? trimmed : null;
}
