/** Tests of the entries of the command palette, and of their order. */
import { expect, test } from "vitest";
import { type Entry, groupsOf } from "./entries";

const entry = (kind: Entry["kind"], label: string): Entry => ({
  id: `${kind}:${label}`,
  kind,
  label,
  also: [],
  run: () => undefined,
});
const entries = [
  entry("command", "New invoice"),
  entry("command", "Filter"),
  entry("screen", "Invoices"),
  entry("organization", "Gulf Pearl"),
  entry("document", "INV-2026-1"),
];
const newWindow: Entry = { ...entry("command", "Open Gulf Pearl in a new window"), typedOnly: true };
const shown = (query: string, recents: string[] = []) =>
  groupsOf([...entries, newWindow], query, recents).map(({ id, entries: list }) => [
    id,
    list.map(({ entry: { label } }) => label).join(", "),
  ]);

test("with nothing typed, what was used last comes first, and each entry is shown once", () => {
  expect(shown("", ["organization:Gulf Pearl", "command:gone", "document:INV-2026-1"])).toEqual([
    ["recent", "Gulf Pearl, INV-2026-1"],
    ["command", "New invoice, Filter"],
    ["screen", "Invoices"],
  ]);
});

test("an organization is found to switch to, and below that to open in a new window", () => {
  expect(shown("gulf")).toEqual([
    ["organization", "Gulf Pearl"],
    ["command", "Open Gulf Pearl in a new window"],
  ]);
  expect(shown("new window")).toEqual([["command", "Open Gulf Pearl in a new window"]]);
  expect(shown("", [newWindow.id])[0]).toEqual(["recent", "Open Gulf Pearl in a new window"]);
});

test("groups are ordered by their best entry, and documents stay last", () => {
  expect(shown("inv")).toEqual([
    ["screen", "Invoices"],
    ["command", "New invoice"],
    ["document", "INV-2026-1"],
  ]);
});

test("of labels that fit equally well the shorter comes first", () => {
  const longer = entry("command", "New invoice from a template");
  const [group] = groupsOf([longer, ...entries], "nwinv", []);
  expect(group?.entries.map(({ entry: { label } }) => label)).toEqual(["New invoice", "New invoice from a template"]);
});

test("of equal entries the one that was used last comes first", () => {
  const twins = [entry("organization", "Pearl North"), entry("organization", "Pearl South")];
  const [group] = groupsOf(twins, "pearl", ["organization:Pearl South"]);
  expect(group?.entries.map(({ entry: { label } }) => label)).toEqual(["Pearl South", "Pearl North"]);
});
