/** Field paths of the content, as `lines[2].taxRate`. Errors and form fields share them. */

import type { InvoiceContent } from "../ipc/bindings";

type Step = string | number;
type Tree = { [name: string]: unknown } | unknown[];

export function pathSegments(path: string): Step[] {
  return [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** The text at a path, or empty if there is none. */
export function getText(content: Partial<InvoiceContent>, path: string): string {
  let found: unknown = content;
  for (const step of pathSegments(path)) {
    if (found === null || typeof found !== "object") return "";
    found = (found as Record<Step, unknown>)[step];
  }
  return typeof found === "string" ? found : "";
}

/** A copy of the content with another text at a path. The path must lead to a text. */
export function withText(content: InvoiceContent, path: string, text: string): InvoiceContent {
  return changedIn(content, pathSegments(path), () => text) as InvoiceContent;
}

/** A copy of the content with another list at a path. The path must lead to a list. */
export function withEntries(
  content: InvoiceContent,
  path: string,
  change: (entries: readonly unknown[]) => readonly unknown[],
): InvoiceContent {
  return changedIn(content, pathSegments(path), (list) => change(list as unknown[])) as InvoiceContent;
}

function changedIn(tree: unknown, [step, ...rest]: Step[], change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(tree);
  const copy = (Array.isArray(tree) ? [...tree] : { ...(tree as object) }) as Tree;
  (copy as Record<Step, unknown>)[step] = changedIn((copy as Record<Step, unknown>)[step], rest, change);
  return copy;
}

/** All texts of a content by path. */
export function textEntries(content: Partial<InvoiceContent>): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (node: unknown, path: string) => {
    if (typeof node === "string") found.set(path, node);
    else if (Array.isArray(node)) node.forEach((each, index) => visit(each, `${path}[${index}]`));
    else if (node !== null && typeof node === "object") {
      for (const [name, value] of Object.entries(node)) visit(value, path === "" ? name : `${path}.${name}`);
    }
  };
  visit(content, "");
  return found;
}
