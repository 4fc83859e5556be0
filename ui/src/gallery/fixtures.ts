/** Fixtures of the gallery and the unit tests: an invoice, organizations with every pattern, every kind of error. */

import type {
  CommandError,
  InvoiceContent,
  InvoiceRow,
  InvoiceView,
  OrganizationView,
  PaymentView,
  PendingRetry,
  Support,
} from "../ipc/bindings";

export const support: Support = {
  code: 14,
  status: 503,
  reason: "",
  operation: "freeze_document",
  organization: "274893001",
  time: "2026-11-21T03:00:00Z",
  correlationId: "01935b7e-6f0a-7c3e-9a51-2f4d8c0b7a11",
  message: "المستخدم غير مصرح له",
  retryAfter: 4,
};

export const row: InvoiceRow = {
  key: "01935b7e-6f0a-7c3e-9a51-2f4d8c0b7a12",
  number: "INV-2026-0417",
  kind: "invoice",
  status: "frozen",
  buyer: { ar: "النخيل للمستلزمات الطبية", en: "Nakheel Medical Supplies" },
  issueDate: "2026-11-14",
  dueDate: "2026-12-14",
  currency: "SAR",
  net: "20000.00",
  tax: "3000.00",
  gross: "23000.00",
  open: "",
  payment: null,
  submission: null,
  hasWarnings: false,
  stamp: "1",
};

export const content: InvoiceContent = {
  kind: "invoice",
  buyer: {
    name: row.buyer,
    taxId: "310122393500003",
    street: "King Fahd Road",
    building: "7421",
    district: "Al Olaya",
    city: "Riyadh",
    postalCode: "12212",
    country: "SA",
  },
  issueDate: row.issueDate,
  dueDate: row.dueDate,
  supplyDate: "",
  currency: "SAR",
  lines: [
    {
      description: { ar: "قفازات معقّمة، علبة 100", en: "Sterile gloves, box of 100" },
      quantity: "500",
      unit: "XBX",
      unitPrice: "30.00",
      taxCategory: "S",
      taxRate: "15",
      exemptionCode: "",
    },
    {
      description: { ar: "توصيل، الرياض", en: "Delivery, Riyadh" },
      quantity: "1",
      unit: "C62",
      unitPrice: "5000.00",
      taxCategory: "S",
      taxRate: "15",
      exemptionCode: "",
    },
  ],
  note: "",
  noteAr: "",
  correction: null,
};

export const view: InvoiceView = {
  row,
  content,
  lines: [{ net: "15000.00" }, { net: "5000.00" }],
  taxBreakdown: [{ category: "S", rate: "15", taxable: "20000.00", tax: "3000.00" }],
  payable: "23000.00",
  created: null,
  updated: { time: "2026-11-14T07:40:00Z", by: "Noura Al-Harbi" },
  issued: { time: "2026-11-14T07:41:00Z", by: "Noura Al-Harbi" },
  frozen: { time: "2026-11-14T07:42:00Z", by: "Noura Al-Harbi" },
  merged: null,
  createdEarlier: false,
  draftLeft: false,
  offlineAsOf: null,
};

const COLORS = ["#b4552d", "#3d6fb4", "#4c7a34", "#7a4ca0", "#9a6b00", "#1d7a8c", "#a33a5e", "#55606e"];

export const organizations: OrganizationView[] = COLORS.map((color, pattern) => ({
  id: String(274893001 + pattern),
  domain: `client-${pattern + 1}.example`,
  name: pattern % 2 === 0 ? "Al-Khair Trading" : "الخير للتجارة",
  arabic: null,
  foundBy: [`client-${pattern + 1}.example`],
  timeZone: "",
  aliased: true,
  badge: pattern % 2 === 0 ? "KH" : "خ",
  color,
  pattern,
  roles: ["accountant"],
  home: pattern === 0,
  pinned: false,
  recent: null,
}));

type Kind = CommandError["kind"];

/** At least one error of each kind, and one of each form with a message of its own. */
export const errors: { [K in Kind]: Extract<CommandError, { kind: K }>[] } = {
  invalidArgument: [1, 2, 3, 11].map((count) => ({
    kind: "invalidArgument",
    violations: Array.from({ length: count }, () => ({ field: "lines[0].taxRate", path: "", rule: "BR-S-05", description: "x" })),
    support: { ...support, operation: count === 2 ? "issue_document" : count === 1 ? "freeze_document" : "update_document" },
  })),
  failedPrecondition: [
    { kind: "failedPrecondition", current: view, support: { ...support, reason: "DOCUMENT_FROZEN" } },
    { kind: "failedPrecondition", current: null, support: { ...support, reason: "DOCUMENT_FROZEN" } },
    { kind: "failedPrecondition", current: null, support: { ...support, reason: "DOCUMENT_NOT_SEALABLE" } },
    { kind: "failedPrecondition", current: null, support: { ...support, reason: "NOT_WRITABLE" } },
    { kind: "failedPrecondition", current: null, support: { ...support, reason: "NOT_A_DRAFT" } },
  ],
  aborted: [
    { kind: "aborted", current: view, support },
    { kind: "aborted", current: null, support: { ...support, operation: "update_document" } },
    { kind: "aborted", current: view, support: { ...support, operation: "update_document" } },
  ],
  alreadyExists: [
    { kind: "alreadyExists", current: view, support },
    { kind: "alreadyExists", current: null, support },
  ],
  notFound: [{ kind: "notFound", support }],
  permissionDenied: [{ kind: "permissionDenied", scope: "Service.Simple.Invoices.v1.Modify.Freeze", support }],
  sessionEnded: [{ kind: "sessionEnded", support }],
  rateLimited: [{ kind: "rateLimited", support }],
  planLimit: [{ kind: "planLimit", support }],
  organizationUnavailable: [true, false].map((othersAnswer) => ({ kind: "organizationUnavailable", othersAnswer, support })),
  unavailable: [
    { kind: "unavailable", authority: false, support },
    { kind: "unavailable", authority: true, support },
  ],
  internal: [
    { kind: "internal", support },
    { kind: "internal", support: { ...support, correlationId: "" } },
  ],
  offline: [{ kind: "offline", support: { ...support, operation: "list_invoices" } }],
  unknownOutcome: [{ kind: "unknownOutcome", key: row.key, support }],
  unexpectedResponse: [{ kind: "unexpectedResponse", status: 502, support }],
  notSignedIn: [{ kind: "notSignedIn" }],
  staleBinding: [{ kind: "staleBinding" }],
  organizationNotGranted: [{ kind: "organizationNotGranted", organization: "274893009" }],
  notWhileImpersonating: [{ kind: "notWhileImpersonating" }],
  draftNotFound: [{ kind: "draftNotFound" }],
  draftInOtherWindow: [{ kind: "draftInOtherWindow", key: "0199f3a0-0000-7000-8000-0000000000aa" }],
  draftNotMoved: (["sent", "file"] as const).map((problem) => ({ kind: "draftNotMoved", problem })),
  windowNotOpened: [
    { kind: "windowNotOpened", limit: 12 },
    { kind: "windowNotOpened", limit: null },
  ],
  unknownDraftVersion: [{ kind: "unknownDraftVersion", version: 2 }],
  notPrinted: [{ kind: "notPrinted" }],
  attachmentRefused: (["empty", "tooLarge", "tooMany", "otherType", "otherContent", "name"] as const).map((problem) => ({
    kind: "attachmentRefused",
    file: "Delivery note 4711.pdf",
    problem,
  })),
  fileNotRead: [
    { kind: "fileNotRead", problem: "unreadable", position: null },
    { kind: "fileNotRead", problem: "empty", position: null },
    { kind: "fileNotRead", problem: "tooLarge", position: null },
    { kind: "fileNotRead", problem: "notAnInvoice", position: 0 },
    { kind: "fileNotRead", problem: "pdfWithoutInvoice", position: null },
    { kind: "fileNotRead", problem: "malformed", position: 120 },
    { kind: "fileNotRead", problem: "documentType", position: 40 },
    { kind: "fileNotRead", problem: "encoding", position: 0 },
    { kind: "fileNotRead", problem: "beyondLimits", position: 4096 },
  ],
  notSaved: [{ kind: "notSaved", problem: "noSpace", reason: "no storage space" }],
  accountNotRead: [{ kind: "accountNotRead", problem: "other", reason: "other error" }],
  invalidCall: [{ kind: "invalidCall", reason: "missing field `at`" }],
  unknownEnvironment: [{ kind: "unknownEnvironment" }],
  environmentRefused: [1, 2, 3, 11].map((count) => ({
    kind: "environmentRefused",
    problems: Array.from({ length: count }, () => ({ field: "authUrl" as const, reason: "notHttps" as const, earlier: null })),
  })),
  nothingToContinue: [{ kind: "nothingToContinue" }],
  browserNotOpened: [{ kind: "browserNotOpened" }],
  loopbackNotOpened: [{ kind: "loopbackNotOpened", reason: "address not available" }],
  callbackRefused: (["broken", "otherAttempt", "otherIssuer", "tooLate"] as const).map((refusal) => ({
    kind: "callbackRefused",
    refusal,
  })),
  signInRefused: [
    { kind: "signInRefused", code: "access_denied" },
    { kind: "signInRefused", code: "temporarily_unavailable" },
  ],
  otherAccount: [{ kind: "otherAccount", username: "salem@alkhair.example" }],
  notTrusted: [{ kind: "notTrusted", check: "nonce" }],
  wrongEnvironmentPair: [{ kind: "wrongEnvironmentPair", authUrl: "https://auth.staging.example" }],
  clockOff: [7, -1, 2, -90].map((minutes) => ({ kind: "clockOff", minutes })),
  vault: (["locked", "absent", "waiting"] as const).map((problem) => ({ kind: "vault", problem })),
  sessionInterrupted: [{ kind: "sessionInterrupted" }],
  localEnvironment: (["portInUse", "corruptDatabase", "noSpace", "other"] as const).map((reason) => ({
    kind: "localEnvironment",
    reason,
    what: reason === "portInUse" ? "127.0.0.1:8081" : "~/.local/share/invoice-desk",
  })),
};

/** A write in the first organization that is tried again, later than any test ends. */
export const pendingRetry: PendingRetry = {
  id: 1,
  command: "update_document",
  organization: support.organization,
  write: true,
  error: { kind: "unavailable", authority: false, support },
  until: "2999-01-01T00:00:00Z",
  failedAttempts: 1,
};

/** A part of an invoice that was paid. */
export const payment: PaymentView = {
  key: "p",
  date: "2026-11-20",
  amount: "3000.00",
  means: "",
  reference: "",
  note: "",
  recorded: null,
  voided: false,
  voids: "",
  reason: "",
  refund: false,
};
