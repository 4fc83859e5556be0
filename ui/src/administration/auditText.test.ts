/** Tests of the words of audit events. */

import { expect, test } from "vitest";
import { createLocalizer, plainText } from "../i18n/localizer";
import type { AuditEventView } from "../ipc/bindings";
import { applicationText, organizationNames, personText } from "./auditText";

const english = createLocalizer("en", "latin");
const arabic = createLocalizer("ar", "latin");

test("programs that act without a person have words", () => {
  expect(personText({ id: "seed", name: "" }, english)).toBe("Set up with the environment");
  expect(personText({ id: "seed", name: "" }, arabic)).toBe("أُنشئ مع البيئة");
  expect(personText({ id: "command line", name: "" }, english)).toBe("Command line of the server");
});

test("a person without a name here is shown by the id", () => {
  expect(personText({ id: "310000000000000004", name: "" }, english)).toBe("310000000000000004");
  expect(personText(null, english)).toBe("Unknown");
});

test("the product has its name in the language of the window, and another application the one it is registered with", () => {
  const event = (application: string, applicationName: string) => ({ application, applicationName }) as AuditEventView;
  expect(applicationText(event("invoice-desk", "Invoice Desk"), arabic)).toBe("مكتب الفواتير");
  expect(applicationText(event("invoice-desk", ""), english)).toBe("Invoice Desk");
  expect(applicationText(event("web", "Al-Khair Books"), arabic)).toBe("Al-Khair Books");
  expect(applicationText(event("web", ""), arabic)).toBe("web");
});

test("organizations have their names, and the domain beside a name that two of them have", () => {
  const event = { organization: "9", organizationName: "Zahra", organizationNameAr: "الزهراء" } as AuditEventView;
  const organization = (id: string, name: string) => ({ id, name, domain: `${id}.example` });
  const known = [organization("1", "Andalus"), organization("2", "Nakheel"), organization("3", "Nakheel")];
  const names = [...organizationNames(event, known, english)].map(([id, name]) => [id, plainText(name)]);
  expect(names).toEqual([
    ["1", "Andalus"],
    ["2", "Nakheel (2.example)"],
    ["3", "Nakheel (3.example)"],
    ["9", "Zahra"],
  ]);
  expect(organizationNames(event, known, arabic).get("9")).toBe("الزهراء");
});
