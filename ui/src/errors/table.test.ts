/** Tests of the messages and details that errors of the core get in the window. */
import { describe, expect, test } from "vitest";
import { errors, view } from "../gallery/fixtures";
import { createLocalizer, plainText } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";
import { commandAccess } from "../ipc/commandNames";
import type { ErrorContext } from "./errorRow";
import { operationLabel } from "./operations";
import { details, detailsText } from "./supportDetails";
import { describeError } from "./table";

const context: ErrorContext = {
  organization: "الخير للتجارة",
  environment: "Staging",
  otherOrganizations: true,
  lastAnswer: "",
  number: "INV-7",
  fields: "",
  writesWaiting: 0,
  seconds: 0,
};
const every = Object.values(errors).flat();

describe.each(["en", "ar"] as const)("errors in %s", (language) => {
  const localizer = createLocalizer(language, "latin");

  test.each(every.map((error) => [error.kind, error] as const))(
    "%s has a complete message and labelled actions",
    (kind, error) => {
      const { text, actions } = describeError(error, context, localizer);
      expect(text, `${kind} has a message`).toMatch(/[.؟!0-9a-z\u2069]$/i);
      expect(text, `${kind} has no hole`).not.toMatch(/[{}]|undefined|null/);
      expect(text.length, `${kind} is a sentence`).toBeGreaterThan(15);
      for (const action of actions) expect(localizer.t(`act-${action}`), `${action} has a label`).not.toContain("act-");
      if (language === "ar") expect(text, `${kind} is Arabic`).toMatch(/\p{Script=Arabic}{3}/u);
    },
  );

  test("the server's message is never shown", () => {
    for (const error of every) {
      if (!("support" in error)) continue;
      expect(describeError(error, context, localizer).text, `${error.kind} hides the message`).not.toContain(
        error.support.message,
      );
    }
  });
});

describe("details", () => {
  test("contain every value that is not empty", () => {
    const [error] = errors.internal;
    if (!error) throw new Error("there is a sample of every kind");
    expect(detailsText(error).split("\n")).toEqual([
      "kind: internal",
      "code: 14 UNAVAILABLE",
      "status: 503",
      "operation: freeze_document",
      "organization: 274893001",
      "time: 2026-11-21T03:00:00Z",
      "correlation: 01935b7e-6f0a-7c3e-9a51-2f4d8c0b7a11",
      "message: المستخدم غير مصرح له",
    ]);
    expect(details({ kind: "staleBinding" })).toEqual([["kind", "staleBinding"]]);
  });
});

describe("organizationUnavailable", () => {
  const [error] = errors.organizationUnavailable;
  const { t } = createLocalizer("en", "latin");
  test("offers to switch only if there is another organization", () => {
    if (!error) throw new Error("there is a sample of every kind");
    const localizer = createLocalizer("en", "latin");
    expect(describeError(error, context, localizer).actions).toContain("switch");
    const alone = describeError(error, { ...context, otherOrganizations: false }, localizer);
    expect(alone.actions).not.toContain("switch");
    expect(alone.text).toBe(t("error-no-organization"));
  });
});

describe.each(["en", "ar"] as const)("write operations in %s", (language) => {
  const writes = Object.entries(commandAccess).flatMap(([name, access]) => (access === "write" ? [name] : []));

  test.each(writes)("%s has a label of its own", (operation) => {
    const localizer = createLocalizer(language, "latin");
    expect(operationLabel(operation, localizer)).not.toBe(localizer.t("action-other"));
  });

  test("an unknown operation has the general label", () => {
    const localizer = createLocalizer(language, "latin");
    expect(operationLabel("toString", localizer)).toBe(localizer.t("action-other"));
  });
});

describe.each(["en", "ar"] as const)("a refused filter in %s", (language) => {
  test("says that the filter cannot be read, and nothing about saving", () => {
    const localizer = createLocalizer(language, "latin");
    const [sample] = errors.internal;
    const support = { ...(sample ?? expect.fail("there is a sample of every kind")).support, operation: "list_invoices" };
    const violations = [{ field: null, path: "filter.gross.from", rule: "INV-NUMBER", description: "" }];
    const { text, actions } = describeError({ kind: "invalidArgument", violations, support }, context, localizer);
    expect(text).toBe(localizer.t("error-filter-unreadable"));
    expect(actions).toEqual([]);
  });
});

describe("a refused issue", () => {
  const localizer = createLocalizer("en", "latin");
  const support = {
    ...(errors.internal[0] ?? expect.fail("there is a sample of every kind")).support,
    operation: "issue_document",
  };
  const violations = [{ field: "details.taxCurrency", path: "taxCurrency", rule: "BR-KSA-68", description: "x" }];

  test("says that the document is saved, and offers to edit it", () => {
    const { text, actions } = describeError({ kind: "invalidArgument", violations, support }, context, localizer);
    expect(plainText(text)).toContain("before INV-7 can be issued. It is saved");
    expect(text).not.toContain("before this can be saved");
    expect(actions).toEqual(["edit"]);
  });

  test.each(["DOCUMENT_NOT_SEALABLE", "NOT_WRITABLE"])("%s has words of its own", (reason) => {
    const { text } = describeError(
      { kind: "failedPrecondition", current: null, support: { ...support, reason } },
      context,
      localizer,
    );
    expect(text).not.toBe(localizer.t("error-state"));
    expect(text).toContain("a character that");
  });

  test("without a connection it is not promised to be sent later", () => {
    const { text } = describeError({ kind: "offline", support }, context, localizer);
    expect(text).toBe(localizer.t("error-offline-step"));
  });
});

test.each([
  ["invoice", "creditNote"],
  ["debitNote", "creditNote"],
  ["creditNote", "backToList"],
] as const)("changes of a frozen %s become a credit note, where one can name it", (kind, first) => {
  const localizer = createLocalizer("en", "latin");
  const sample = errors.failedPrecondition[0] ?? expect.fail("there is a sample of every kind");
  const current = { ...view, row: { ...view.row, kind } };
  expect(describeError({ ...sample, current }, context, localizer).actions).toEqual([first, "discardDraft"]);
});

test("a payment that was recorded before with other values is said to be one, and not a document", () => {
  const localizer = createLocalizer("en", "latin");
  const { support } = errors.internal[0] ?? expect.fail("there is a sample of every kind");
  const error = { kind: "alreadyExists", current: null, support: { ...support, operation: "record_payment" } } as const;
  const { text, actions } = describeError(error, context, localizer);
  expect(text).toBe(localizer.t("error-payment-exists"));
  expect(actions).toEqual([]);
});

test("what is refused of a change of remembered buyers and items says nothing of a document, and offers nothing that one has", () => {
  const localizer = createLocalizer("en", "latin");
  const { support: of } = errors.internal[0] ?? expect.fail("there is a sample of every kind");
  const support = { ...of, operation: "update_party" };
  const refused = [
    ["error-memory-changed", { kind: "aborted", current: null, support }],
    ["error-memory-exists", { kind: "alreadyExists", current: null, support }],
    ["error-memory-gone", { kind: "notFound", support }],
    ["error-memory-invalid", { kind: "invalidArgument", violations: [], support }],
  ] as const;
  for (const [words, error] of refused) {
    const { text, actions } = describeError({ ...error } as CommandError, context, localizer);
    expect([text, actions]).toEqual([localizer.t(words), []]);
  }
});

describe("no connection", () => {
  const localizer = createLocalizer("en", "latin");
  const { support } = errors.internal[0] ?? expect.fail("there is a sample of every kind");
  const words = (operation: string) =>
    describeError({ kind: "offline", support: { ...support, operation } }, context, localizer).text;

  test.each(["invite_user", "mint_personal_token", "publish_rules", "create_tenant", "record_payment", "remove_attachment"])(
    "%s is not promised to be sent later",
    (operation) => {
      expect(words(operation)).toBe(localizer.t("error-offline-unsent"));
    },
  );

  test.each(["list_users", "get_rules", "list_audit_events", "tenant_plan", "test_authority"])(
    "%s, a read of the administration, promises nothing about what is saved",
    (operation) => {
      expect(words(operation)).toBe(localizer.t("error-offline-administration"));
    },
  );

  test("files of many documents stay where they are saved, and a single one is not", () => {
    expect(words("save_documents")).toBe(localizer.t("error-offline-files"));
    expect(words("save_document")).toBe(localizer.t("error-offline-file"));
  });

  test.each(["create_document", "update_document", "add_attachment", "retry_submission"])(
    "%s is sent without being repeated",
    (operation) => {
      expect(words(operation)).toBe(localizer.t("error-offline"));
    },
  );
});
