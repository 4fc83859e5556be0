/** Sort order of the list of clients. Amounts are no order: they are in several currencies. */

import type { OrganizationView, Overview } from "../ipc/bindings";

export type ClientSortField = "name" | "drafts" | "rejected" | "overdue";

export interface ClientSort {
  field: ClientSortField;
  descending: boolean;
}

/** An organization with what is known of it. */
export interface Client {
  organization: OrganizationView;
  overview: Overview | undefined;
  /** Drafts on this computer that were not sent; `undefined` if they were not counted. */
  unsent: number | undefined;
}

/** The count of a client; `undefined` if it is not known. */
export function countOf({ overview }: Client, field: Exclude<ClientSortField, "name">): number | undefined {
  return overview?.[field]?.count;
}

/** Sorted by the field, then by name. What is not known comes last in both directions. */
export function sortClients(clients: readonly Client[], { field, descending }: ClientSort, locale: string): Client[] {
  const names = new Intl.Collator(locale, { numeric: true });
  const byName = (a: Client, b: Client) => names.compare(a.organization.name, b.organization.name);
  const sign = descending ? -1 : 1;
  return clients.toSorted((a, b) => {
    if (field === "name") return sign * byName(a, b);
    const [left, right] = [countOf(a, field), countOf(b, field)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined) || byName(a, b);
    return sign * (left - right) || byName(a, b);
  });
}

/** The order after a press on a column: its natural direction first, then the reverse. */
export function nextClientSort(current: ClientSort, field: ClientSortField): ClientSort {
  const natural = field !== "name";
  return { field, descending: current.field === field ? !current.descending : natural };
}
