/**
 * The table from a `CommandError` to its presentation: severity, placement, message, actions.
 * Messages are in locales/*\/errors.ftl. A kind without a row does not compile. The server's message is never shown.
 */

import type { Localizer, MessageId } from "../i18n/localizer";
import type { CommandError, LocalEnvironmentProblem } from "../ipc/bindings";
import type { OperationName } from "../ipc/commandNames";
import type { ErrorAction } from "./actions";

/** `info`: nothing is wrong. `warning`: temporary or recoverable. `error`: it failed. */
export type Severity = "info" | "warning" | "error";

/** Where the error is shown. */
export type ErrorPlacement =
  | "fields"
  | "document"
  | "compare"
  | "action"
  | "list"
  | "window"
  | "banner"
  | "inline"
  | "dialog"
  | "status"
  | "signIn";

/** Values for the messages. */
export interface ErrorContext {
  organization: string;
  environment: string;
  /** Whether the user can switch to another organization. */
  otherOrganizations: boolean;
  /** When the service answered last, as text; empty while there is a connection. */
  lastAnswer: string;
  /** Number of the document that the error concerns, or a word in its place. */
  number: string;
  /** Names of the fields that another user has changed as well; empty if they are not known. */
  fields: string;
  /** How many writes wait for the organization, and the seconds until the next one goes. */
  writesWaiting: number;
  seconds: number;
}

/** The presentation of an error. */
export interface ErrorDescription {
  severity: Severity;
  placement: ErrorPlacement;
  text: string;
  actions: readonly ErrorAction[];
}

type Kind = CommandError["kind"];
type Of<K extends Kind> = Extract<CommandError, { kind: K }>;

interface Row<K extends Kind> {
  severity: Severity;
  placement: ErrorPlacement | ((error: Of<K>) => ErrorPlacement);
  message: (error: Of<K>, context: ErrorContext, localizer: Localizer) => string;
  actions: readonly ErrorAction[] | ((error: Of<K>, context: ErrorContext) => readonly ErrorAction[]);
}

export const errorTable: { [K in Kind]: Row<K> } = {
  invalidArgument: {
    severity: "error",
    placement: "fields",
    message: (error, { organization }, { t }) =>
      isAttachmentOperation(error.support.operation)
        ? t("error-attachment-content")
        : t("error-invalid", { count: error.violations.length, organization }),
    actions: (error) => (isAttachmentOperation(error.support.operation) ? [] : ["goToFirst"]),
  },
  failedPrecondition: {
    severity: "warning",
    placement: "document",
    message: (error, { number }, { t, format }) => {
      const { current } = error;
      if (error.reason === "AUTHORITY_PENDING") return t("error-authority-pending", { number });
      if (error.reason === "PAYMENT_ABOVE_OPEN") return t("error-payment-above-open");
      if (isPaymentOperation(error.support.operation)) return t("error-payment-state");
      if (isAttachmentOperation(error.support.operation)) return t("error-attachment-closed");
      if (!current?.frozen)
        return t(current?.row.status === "frozen" || error.reason === "DOCUMENT_FROZEN" ? "error-frozen" : "error-state");
      return t("error-frozen-by", {
        number: current.row.number,
        date: format.dateTime(current.frozen.time),
        who: current.frozen.by,
      });
    },
    actions: (error) => {
      if (isPaymentOperation(error.support.operation) || isAttachmentOperation(error.support.operation)) return [];
      if (error.reason === "AUTHORITY_PENDING") return ["tryNow", "backToList"];
      return error.current?.row.status === "frozen" ? ["creditNote", "discardDraft"] : ["backToList"];
    },
  },
  aborted: {
    severity: "warning",
    placement: "compare",
    message: (error, { fields }, { t }) => {
      if (isLifecycleOperation(error.support.operation)) return t("error-aborted-step");
      if (!error.current) return t("error-aborted-unread");
      return fields === "" ? t("error-aborted-fields") : t("error-aborted", { fields });
    },
    actions: (error) => (error.current && !isLifecycleOperation(error.support.operation) ? ["compare"] : ["tryNow"]),
  },
  alreadyExists: {
    severity: "warning",
    placement: "dialog",
    message: (error, _, { t }) => t(error.current ? "error-exists" : "error-exists-unread"),
    actions: (error) => (error.current ? ["compare"] : ["copySupport"]),
  },
  notFound: {
    severity: "warning",
    placement: "document",
    message: (_error, _, { t }) => t("error-not-found"),
    actions: ["backToList", "switch"],
  },
  permissionDenied: {
    severity: "warning",
    placement: "action",
    message: (error, { organization }, localizer) =>
      localizer.t("error-denied", { action: operationLabel(error.support.operation, localizer), organization }),
    actions: ["copyRequest", "refreshOrganizations"],
  },
  sessionEnded: {
    severity: "warning",
    placement: "banner",
    message: (_error, { environment }, { t }) => t("error-session-ended", { environment }),
    actions: ["signIn"],
  },
  rateLimited: {
    severity: "warning",
    placement: "status",
    message: (_error, { organization, writesWaiting, seconds }, { t }) =>
      writesWaiting > 0
        ? t("error-rate", { organization, count: writesWaiting, seconds })
        : t("error-rate-idle", { organization }),
    actions: ["showQueue", "cancel"],
  },
  planLimit: {
    severity: "warning",
    placement: "dialog",
    message: (_error, { organization }, { t }) => t("error-plan", { organization }),
    actions: ["copyForAdministrator"],
  },
  organizationUnavailable: {
    severity: "warning",
    placement: (error) => (error.othersAnswer ? "list" : "window"),
    message: (error, { organization, otherOrganizations }, { t }) =>
      error.othersAnswer && otherOrganizations ? t("error-organization", { organization }) : t("error-no-organization"),
    actions: (error, { otherOrganizations }) =>
      error.othersAnswer && otherOrganizations ? ["switch", "copySupport"] : ["copySupport"],
  },
  unavailable: {
    severity: "warning",
    placement: (error) => (error.authority ? "document" : "inline"),
    message: (error, { number }, { t }) => (error.authority ? t("error-authority", { number }) : t("error-unavailable")),
    actions: (error) => (error.authority ? ["tryAgain", "later"] : ["tryNow", "stop"]),
  },
  internal: {
    severity: "error",
    placement: "dialog",
    message: (error, _, { t }) =>
      error.support.correlationId === "" ? t("error-internal-no-id") : t("error-internal", { id: error.support.correlationId }),
    actions: ["copySupport"],
  },
  offline: {
    severity: "warning",
    placement: "status",
    message: (error, { lastAnswer }, { t }) => {
      if (isFileOperation(error.support.operation)) return t("error-offline-file");
      // Before the sign-in there is nothing that could be kept and sent.
      if (error.support.organization === "") return t("error-offline-sign-in");
      return lastAnswer === "" ? t("error-offline") : t("error-offline-since", { time: lastAnswer });
    },
    actions: ["tryNow"],
  },
  unknownOutcome: {
    severity: "warning",
    placement: "inline",
    message: (_error, { organization }, { t }) => t("error-unknown-outcome", { organization }),
    actions: ["checkNow", "openDrafts"],
  },
  unexpectedResponse: {
    severity: "error",
    placement: "dialog",
    message: (error, _, { t }) => t("error-unexpected-response", { status: String(error.status) }),
    actions: ["tryNow", "copySupport"],
  },
  notSignedIn: {
    severity: "warning",
    placement: "banner",
    message: (_error, _, { t }) => t("error-not-signed-in"),
    actions: ["signIn"],
  },
  staleBinding: {
    severity: "info",
    placement: "inline",
    message: (_error, _, { t }) => t("error-stale"),
    actions: ["tryNow"],
  },
  organizationNotGranted: {
    severity: "warning",
    placement: "list",
    message: (error, _, { t }) => t("error-not-granted", { organization: error.organization }),
    actions: ["switch", "refreshOrganizations"],
  },
  notWhileImpersonating: {
    severity: "info",
    placement: "inline",
    message: (_error, _, { t }) => t("error-impersonating"),
    actions: [],
  },
  draftNotFound: {
    severity: "warning",
    placement: "document",
    message: (_error, _, { t }) => t("error-draft-gone"),
    actions: ["backToList"],
  },
  draftInOtherWindow: {
    severity: "info",
    placement: "document",
    message: (_error, { organization }, { t }) => t("error-draft-in-other-window", { organization }),
    actions: ["goToWindow", "tryNow", "backToList"],
  },
  windowNotOpened: {
    severity: "warning",
    placement: "banner",
    message: (error, _, { t }) =>
      error.limit === null ? t("error-window-not-opened") : t("error-window-limit", { count: error.limit }),
    actions: [],
  },
  unknownDraftVersion: {
    severity: "warning",
    placement: "document",
    message: (_error, _, { t }) => t("error-draft-version"),
    actions: ["backToList"],
  },
  notSaved: {
    severity: "error",
    placement: "banner",
    message: (error, _, { t }) => t("error-storage", { reason: error.reason }),
    actions: ["tryNow"],
  },
  notPrinted: {
    severity: "error",
    placement: "inline",
    message: (_error, _, { t }) => t("error-not-printed"),
    actions: ["tryNow"],
  },
  fileNotRead: {
    severity: "warning",
    placement: "inline",
    message: (error, _, { t }) => t(`file-problem-${error.problem}`),
    actions: [],
  },
  attachmentRefused: {
    severity: "warning",
    placement: "inline",
    message: (error, _, { t }) => t(`attachment-problem-${error.problem}`, { file: error.file }),
    actions: [],
  },
  accountNotRead: {
    severity: "warning",
    placement: "signIn",
    message: (error, _, { t }) => t("error-account-not-read", { reason: error.reason }),
    actions: ["tryAgain"],
  },
  invalidCall: {
    severity: "error",
    placement: "dialog",
    message: (_error, _, { t }) => t("error-bad-call"),
    actions: ["copySupport"],
  },
  unknownEnvironment: {
    severity: "error",
    placement: "signIn",
    message: (_error, _, { t }) => t("error-unknown-environment"),
    actions: ["chooseEnvironment"],
  },
  environmentRefused: {
    severity: "error",
    placement: "fields",
    message: (error, _, { t }) => t("error-environment-refused", { count: error.problems.length }),
    actions: [],
  },
  nothingToContinue: {
    severity: "warning",
    placement: "signIn",
    message: (_error, _, { t }) => t("error-nothing-to-continue"),
    actions: ["startAgain"],
  },
  browserNotOpened: {
    severity: "warning",
    placement: "signIn",
    message: (_error, _, { t }) => t("error-browser"),
    actions: ["copyLink", "openAgain"],
  },
  callbackRefused: {
    severity: "error",
    placement: "signIn",
    message: (error, _, { t }) => t(`error-callback-${error.refusal}`),
    actions: (error) => (error.refusal === "broken" ? ["paste", "startAgain"] : ["startAgain"]),
  },
  signInRefused: {
    severity: "error",
    placement: "signIn",
    message: (error, _, { t }) =>
      error.code === "access_denied" ? t("error-declined") : t("error-refused", { code: error.code }),
    actions: ["startAgain"],
  },
  otherAccount: {
    severity: "warning",
    placement: "banner",
    message: (error, _, { t }) => t("error-other-account", { username: error.username }),
    actions: ["refreshOrganizations"],
  },
  notTrusted: {
    severity: "error",
    placement: "signIn",
    message: (error, _, { t }) => t("error-not-trusted", { check: error.check }),
    actions: ["startAgain", "copySupport"],
  },
  wrongEnvironmentPair: {
    severity: "error",
    placement: "fields",
    message: (error, _, { t }) => t("error-wrong-environment-pair", { address: error.authUrl }),
    actions: ["chooseEnvironment"],
  },
  clockOff: {
    severity: "error",
    placement: "banner",
    message: (error, _, { t }) =>
      t(error.minutes >= 0 ? "error-clock-ahead" : "error-clock-behind", { minutes: Math.abs(error.minutes) }),
    actions: ["howToSetClock"],
  },
  vault: {
    severity: "warning",
    placement: "dialog",
    message: (error, _, { t }) => t(`error-vault-${error.problem}`),
    // A keyring whose prompt is open already needs no second one, and one that is not there cannot be unlocked.
    actions: (error) => (error.problem === "locked" ? ["unlock", "continueSession"] : ["continueSession"]),
  },
  sessionInterrupted: {
    severity: "warning",
    placement: "signIn",
    message: (_error, _, { t }) => t("error-interrupted"),
    actions: ["startAgain"],
  },
  localEnvironment: {
    severity: "error",
    placement: "signIn",
    message: (error, _, { t }) => t(localEnvironmentMessage(error.reason), { what: error.what }),
    actions: ["startAgain", "copySupport"],
  },
};

/** Lines about what has gone well in the end, where the person should know what happened. */
export const quietLines = {
  /** Another user has changed other fields of the document, and both changes are kept. */
  merged: { severity: "info", placement: "inline", message: "error-merged", actions: ["showBoth"] },
  /** An attempt whose answer was lost had created the document. */
  createdEarlier: { severity: "info", placement: "inline", message: "error-exists-own", actions: ["open"] },
} as const satisfies Record<
  string,
  { severity: Severity; placement: ErrorPlacement; message: MessageId; actions: readonly ErrorAction[] }
>;

/** Where an error is shown. */
export function placementOf(error: CommandError): ErrorPlacement {
  const { placement } = errorTable[error.kind] as Row<Kind>;
  return typeof placement === "function" ? placement(error) : placement;
}

/** The error in the language of the localizer, with its placement and actions. */
export function describeError(error: CommandError, context: ErrorContext, localizer: Localizer): ErrorDescription {
  // TypeScript cannot infer that the row of a kind takes the error of that kind.
  const row = errorTable[error.kind] as Row<Kind>;
  return {
    severity: row.severity,
    placement: placementOf(error),
    text: row.message(error, context, localizer),
    actions: typeof row.actions === "function" ? row.actions(error, context) : row.actions,
  };
}

const OPERATION_LABELS = {
  list_invoices: "action-list",
  get_invoice: "action-get",
  check_outcome: "action-other",
  ageing: "action-other",
  monthly_sums: "action-other",
  tax_sums: "action-other",
  overview: "action-other",
  client_overview: "action-other",
  create_document: "action-create",
  update_document: "action-update",
  save_document: "action-save",
  list_attachments: "action-other",
  add_attachment: "action-attach",
  send_attachments: "action-attach",
  save_attachment: "action-save",
  remove_attachment: "action-attach",
  print_document: "action-print",
  issue_document: "action-issue",
  freeze_document: "action-freeze",
  similar_documents: "action-other",
  document_defaults: "action-other",
  search_parties: "action-other",
  known_party: "action-other",
  search_items: "action-other",
  last_price: "action-other",
  remember_document: "action-remember",
  payments: "action-other",
  get_relations: "action-other",
  get_history: "action-other",
  new_payment: "action-other",
  record_payment: "action-record-payment",
  void_payment: "action-void-payment",
  list_users: "action-people",
  invite_user: "action-people",
  change_user: "action-people",
  reset_password: "action-people",
  list_machine_users: "action-machines",
  create_machine_user: "action-machines",
  list_personal_tokens: "action-machines",
  mint_personal_token: "action-machines",
  revoke_personal_token: "action-machines",
  get_rules: "action-rules",
  list_rule_versions: "action-rules",
  check_rules: "action-rules",
  publish_rules: "action-rules",
  roll_back_rules: "action-rules",
  get_own_plan: "action-other",
  get_submission: "action-other",
  retry_submission: "action-submit",
  impersonate: "action-impersonate",
  list_audit_events: "action-other",
  list_tenants: "action-tenants",
  create_tenant: "action-tenants",
  update_tenant: "action-tenants",
  set_tenant_enabled: "action-tenants",
  tenant_history: "action-tenants",
  tenant_plan: "action-plans",
  assign_plan: "action-plans",
  set_tenant_limits: "action-plans",
  list_plans: "action-plans",
  create_plan: "action-plans",
  update_plan: "action-plans",
  delete_plan: "action-plans",
  get_authority: "action-authorities",
  save_authority: "action-authorities",
  test_authority: "action-authorities",
  plan_bulk_run: "action-list",
  export_documents: "action-list",
  issue_documents: "action-issue",
  freeze_documents: "action-freeze",
} as const satisfies Record<OperationName, MessageId>;

/** What an operation does, as a verb phrase for the middle of a sentence. */
export function operationLabel(operation: string, { t }: Localizer): string {
  return t(isOperation(operation) ? OPERATION_LABELS[operation] : "action-other");
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATION_LABELS, name);
}

const ATTACHMENT_OPERATIONS: ReadonlySet<OperationName> = new Set(["add_attachment", "send_attachments", "remove_attachment"]);

function isAttachmentOperation(operation: string): boolean {
  return isOperation(operation) && ATTACHMENT_OPERATIONS.has(operation);
}

const PAYMENT_OPERATIONS: ReadonlySet<OperationName> = new Set(["record_payment", "void_payment"]);

/** Whether an operation writes an entry beside the document, which itself does not change. */
function isPaymentOperation(operation: string): boolean {
  return isOperation(operation) && PAYMENT_OPERATIONS.has(operation);
}

const LIFECYCLE_OPERATIONS: ReadonlySet<OperationName> = new Set([
  "issue_document",
  "freeze_document",
  "issue_documents",
  "freeze_documents",
]);

/** Whether an operation only changes the status of a document. It sends no content, so there is nothing to compare. */
function isLifecycleOperation(operation: string): boolean {
  return isOperation(operation) && LIFECYCLE_OPERATIONS.has(operation);
}

const FILE_OPERATIONS: ReadonlySet<OperationName> = new Set(["save_document", "save_attachment", "print_document"]);

/** Whether an operation fetches a document to print or save it, which has nothing to do with what is typed. */
function isFileOperation(operation: string): boolean {
  return isOperation(operation) && FILE_OPERATIONS.has(operation);
}

function localEnvironmentMessage(reason: LocalEnvironmentProblem) {
  switch (reason) {
    case "portInUse":
      return "error-local-port";
    case "corruptDatabase":
      return "error-local-database";
    case "noSpace":
      return "error-local-space";
    case "other":
      return "error-local-other";
  }
}
