/** Parts of a content that are compared and chosen as a whole: mostly one text, else texts that depend on each other. */

import { pathSegments } from "../editor/paths";
import type { InvoiceContent, LineContent } from "../ipc/bindings";

/** The parts of a content or a line by their paths. */
export type Parts = ReadonlyMap<string, unknown>;

/** Parts of several texts: half of a period, an identifier or a payment instruction makes no sense. */
const WHOLE: ReadonlySet<string> = new Set([
  "correction",
  "buyer.details.otherIds",
  "buyer.details.legalId",
  "buyer.details.electronicAddress",
  "details.period",
  "details.references.invoicedObject",
  "details.delivery.location",
  "details.delivery.address",
  "details.payment",
  "details.otherPayments",
  "details.payee",
  "details.taxRepresentative",
  "details.documents",
  "details.precedingDocuments",
  "details.allowancesCharges",
  "details.object",
  "details.standardItemCode",
  "details.classifications",
  "details.attributes",
]);

/** What is compared by other means: lines by their ids, terms by the due date that they give. The kind of a document never changes. */
const APART: ReadonlySet<string> = new Set(["kind", "lines", "id", "dueTerms"]);

/** The texts of a line that make up its tax: they are one part, `tax`. */
const TAX_TEXTS: Readonly<Record<string, string>> = {
  taxCategory: "category",
  taxRate: "rate",
  exemptionCode: "code",
  "details.exemptionReason": "reason",
};

/** The tax of a line. */
export interface LineTax {
  category: string;
  rate: string;
  code: string;
  reason: string;
}

export function documentParts(content: InvoiceContent): Parts {
  return partsOf(content);
}

export function lineParts(line: LineContent): Parts {
  const parts = partsOf(line);
  const tax: Record<string, unknown> = {};
  for (const [path, name] of Object.entries(TAX_TEXTS)) {
    tax[name] = parts.get(path) ?? "";
    parts.delete(path);
  }
  return parts.set("tax", tax);
}

function partsOf(tree: object): Map<string, unknown> {
  const parts = new Map<string, unknown>();
  const visit = (node: unknown, path: string) => {
    if (typeof node !== "object" || node === null || WHOLE.has(path)) {
      parts.set(path, node);
      return;
    }
    for (const [name, child] of Object.entries(node)) {
      const childPath = path === "" ? name : `${path}.${name}`;
      if (!APART.has(childPath)) visit(child, childPath);
    }
  };
  visit(tree, "");
  return parts;
}

/** A copy of a content or a line with another part. Without a value the part becomes empty. */
export function withPart<Tree extends InvoiceContent | LineContent>(tree: Tree, path: string, value: unknown): Tree {
  if (path !== "tax") return setIn(tree, pathSegments(path), value) as Tree;
  return Object.entries(TAX_TEXTS).reduce<Tree>(
    (line, [each, name]) => setIn(line, pathSegments(each), (value as Partial<Record<string, string>>)[name]) as Tree,
    tree,
  );
}

function setIn(tree: unknown, [step, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (step === undefined) return value ?? emptied(tree);
  const branch = (tree ?? {}) as Readonly<Record<string | number, unknown>>;
  return { ...branch, [step]: setIn(branch[step], rest, value) };
}

/** The same form without any text. */
export function emptied(value: unknown): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return [];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, emptied(child)]));
}

/** Whether two parts say the same. One that is missing is as one without any text. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(reduced(one)) === JSON.stringify(reduced(other));
}

/** The value without what is empty, with its names in order. */
function reduced(value: unknown): unknown {
  if (value === "" || value === null) return undefined;
  if (typeof value !== "object") return value;
  const children = Array.isArray(value)
    ? value.map((child) => reduced(child) ?? null)
    : Object.entries(value as object)
        .map(([name, child]) => [name, reduced(child)] as const)
        .filter(([, child]) => child !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return children.length === 0 ? undefined : children;
}

/** Whether two lines say the same, whatever their ids. */
export function isSameLine(one: LineContent, other: LineContent): boolean {
  const [parts, others] = [lineParts(one), lineParts(other)];
  return [...new Set([...parts.keys(), ...others.keys()])].every((path) => isSame(parts.get(path), others.get(path)));
}
