/** The further values of an event in words, and what a change has replaced beside what it is now (decision 0153). */

import { isolated, type Localizer } from "../i18n/localizer";
import type { AuditDetail } from "../ipc/bindings";
import { roleName } from "../organizations/roles";
import { permissionName } from "./permissionNames";

export interface ShownDetail {
  name: string;
  /** What the value is called; `null` for one that a later version of the service has added. */
  label: string | null;
  /** Its values are isolated: the text as a whole has the direction of the window, which the arrow follows. */
  text: string;
}

/** The name of a value before a change is that of the value with this at its end. */
const BEFORE = "_before";
/** The names of the fields whose content no event has. */
const FIELDS = "fields";

/** The permissions that a version of the rules gives and takes away, each with its role. */
const CELLS: ReadonlySet<string> = new Set(["added", "removed"]);

/** The limits of a plan or a tenant. Where one is not set, "none" would read as zero, which allows nothing. */
const LIMITS: ReadonlySet<string> = new Set(["monthly_documents", "requests_per_minute", "users"]);

const kinds = {
  INVOICE: "kind-invoice",
  CREDIT_NOTE: "kind-creditNote",
  DEBIT_NOTE: "kind-debitNote",
} as const;

/** By the name of a value, and its ids, what is known to be called otherwise. */
export type DetailNames = Readonly<Record<string, ReadonlyMap<string, string>>>;

export function shownDetails(details: readonly AuditDetail[], localizer: Localizer, known: DetailNames = {}): ShownDetail[] {
  const { t, has } = localizer;
  const values = new Map(details.map(({ name, value }) => [name, value]));
  // What was there alone, as of a plan that was deleted, is named by its name too.
  const names = new Set(details.map(({ name }) => (name.endsWith(BEFORE) ? name.slice(0, -BEFORE.length) : name)));
  return [...names].map((name) => {
    const before = values.get(name + BEFORE);
    const after = values.get(name);
    const label = `audit-detail-${name}`;
    const text = (value: string) => known[name]?.get(value) ?? valueText(name, value, localizer);
    return {
      name,
      label: has(label) ? t(label) : null,
      text:
        before === undefined
          ? isolated(text(after ?? ""))
          : after === undefined
            ? t("audit-removed-value", { before: text(before) })
            : t("audit-change", { before: text(before), after: text(after) }),
    };
  });
}

function valueText(name: string, value: string, localizer: Localizer): string {
  const { t, has, format } = localizer;
  if (name === "role") return roleName(value, localizer);
  if (CELLS.has(name) && value !== "") return format.list(value.split(", ").map((cell) => cellText(cell, localizer)));
  if (name === FIELDS) {
    const words = value.split(" ").map((field) => {
      const id = `audit-field-${field.replaceAll(".", "-")}`;
      return has(id) ? t(id) : field;
    });
    return format.list(words);
  }
  if (LIMITS.has(name) && value === "none") return t("audit-no-limit");
  const id = `audit-value-${value}`;
  if (has(id)) return t(id);
  const words = value.split(" ");
  if (!words.every(isKind)) return value;
  return format.list(words.map((kind) => t(kinds[kind])));
}

/** A permission of a role, which the service writes as their two names. */
function cellText(cell: string, localizer: Localizer): string {
  const [role, scope] = cell.split(" ");
  if (role === undefined || scope === undefined) return cell;
  return localizer.t("audit-permission-of", { role: roleName(role, localizer), permission: permissionName(scope, localizer) });
}

function isKind(word: string): word is keyof typeof kinds {
  return Object.hasOwn(kinds, word);
}
