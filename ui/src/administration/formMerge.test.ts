/** Tests of a form about something that somebody else has changed since it was opened. */
import { expect, test } from "vitest";
import { type FormPart, mergeForm } from "./formMerge";

interface Address {
  street: string;
  city: string;
}

const parts: FormPart<Address>[] = [
  { label: "Street", words: ({ street }) => street, take: (form, { street }) => ({ ...form, street }) },
  { label: "City", words: ({ city }) => city, take: (form, { city }) => ({ ...form, city }) },
];
const base: Address = { street: "Palm Road", city: "Jeddah" };

test("what was not typed has their value, and the change is named", () => {
  const merged = mergeForm(parts, { base, typed: { ...base, street: "Sea Road" }, theirs: { ...base, city: "Abha" } });
  expect(merged.form).toEqual({ street: "Sea Road", city: "Abha" });
  expect(merged.changes).toEqual([{ label: "City", before: "Jeddah", after: "Abha", typed: null }]);
});

test("what both have changed stays as it was typed, and is named with all three values", () => {
  const merged = mergeForm(parts, { base, typed: { ...base, city: "Taif" }, theirs: { ...base, city: "Abha" } });
  expect(merged.form).toEqual({ street: "Palm Road", city: "Taif" });
  expect(merged.changes).toEqual([{ label: "City", before: "Jeddah", after: "Abha", typed: "Taif" }]);
});

test("what both have changed to the same is no choice", () => {
  const changed = { ...base, city: "Abha" };
  const merged = mergeForm(parts, { base, typed: changed, theirs: changed });
  expect(merged.form).toEqual(changed);
  expect(merged.changes).toEqual([{ label: "City", before: "Jeddah", after: "Abha", typed: null }]);
});
