/** Search in templates. */

import { expect, test } from "vitest";
import type { TemplateView } from "../ipc/bindings";
import { searchTemplates } from "./searchTemplates";

const template = (name: string, en: string, ar = ""): TemplateView => ({
  id: name,
  name,
  buyer: { en, ar },
  lines: 1,
  gross: null,
  currency: "SAR",
  schedule: null,
  next: null,
});
const templates = [
  template("Office rent", "Najd Trading", "شركة نجد للتجارة"),
  template("", "Olaya Clinic", "عيادة العليا"),
  template("Rent of a car", "Olaya Clinic"),
];
const found = (text: string) => searchTemplates(templates, text).map(({ id }) => id);

test("without a text all templates are found in their order", () => {
  expect(found(" ")).toEqual(["Office rent", "", "Rent of a car"]);
});

test("each word may be in the name or in the buyer of either language", () => {
  expect(found("rent")).toEqual(["Office rent", "Rent of a car"]);
  expect(found("RENT olaya")).toEqual(["Rent of a car"]);
  expect(found("عياده العليا")).toEqual([""]);
  expect(found("insurance")).toEqual([]);
});
