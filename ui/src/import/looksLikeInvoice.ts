/** Whether a pasted text is the content of an invoice file, and not something for the field that has the focus. */

const ROOTS = /<(?:[\w.-]+:)?(?:Invoice|CreditNote|CrossIndustryInvoice)[\s>]/;

/** Characters in which the root element must begin. */
const HEAD = 4096;

export function looksLikeInvoice(text: string): boolean {
  const head = text.slice(0, HEAD).trimStart();
  return head.startsWith("<") && ROOTS.test(head);
}
