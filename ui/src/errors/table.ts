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
  placement: ErrorPlacement;
  message: (error: Of<K>, context: ErrorContext, localizer: Localizer) => string;
  actions: readonly ErrorAction[] | ((error: Of<K>, context: ErrorContext) => readonly ErrorAction[]);
}

export const errorTable: { [K in Kind]: Row<K> } = {
  invalidArgument: {
    severity: "error",
    placement: "fields",
    message: (error, { organization }, { t }) => t("error-invalid", { count: error.violations.length, organization }),
    actions: ["goToFirst"],
  },
  failedPrecondition: {
    severity: "warning",
    placement: "document",
    message: (error, _, { t, format }) => {
      const { current } = error;
      if (!current?.frozen)
        return t(current?.row.status === "frozen" || error.reason === "DOCUMENT_FROZEN" ? "error-frozen" : "error-state");
      return t("error-frozen-by", {
        number: current.row.number,
        date: format.dateTime(current.frozen.time),
        who: current.frozen.by,
      });
    },
    actions: (error) => (error.current?.row.status === "frozen" ? ["creditNote", "discardDraft"] : ["backToList"]),
  },
  aborted: {
    severity: "warning",
    placement: "compare",
    message: (error, _, { t }) => {
      if (isLifecycleOperation(error.support.operation)) return t("error-aborted-step");
      return t(error.current ? "error-aborted" : "error-aborted-unread");
    },
    actions: (error) => (error.current && !isLifecycleOperation(error.support.operation) ? ["compare"] : ["tryNow"]),
  },
  alreadyExists: {
    severity: "warning",
    placement: "dialog",
    message: (error, _, { t }) => t(error.current ? "error-exists" : "error-exists-unread"),
    actions: (error) => (error.current ? ["compare", "open"] : ["copySupport"]),
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
    message: (_error, { organization }, { t }) => t("error-rate", { organization }),
    actions: ["tryNow", "stop"],
  },
  planLimit: {
    severity: "warning",
    placement: "dialog",
    message: (_error, { organization }, { t }) => t("error-plan", { organization }),
    actions: ["copyRequest"],
  },
  organizationUnavailable: {
    severity: "warning",
    placement: "list",
    message: (_error, { organization, otherOrganizations }, { t }) =>
      otherOrganizations ? t("error-organization", { organization }) : t("error-no-organization"),
    actions: (_error, { otherOrganizations }) =>
      otherOrganizations ? ["switch", "tryNow", "copySupport"] : ["tryNow", "copySupport"],
  },
  unavailable: {
    severity: "warning",
    placement: "inline",
    message: (error, _, { t }) => t(error.authority ? "error-authority" : "error-unavailable"),
    actions: ["tryNow", "stop"],
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
    message: (_error, _, { t }) => t("error-offline"),
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
  draftNotFound: {
    severity: "warning",
    placement: "document",
    message: (_error, _, { t }) => t("error-draft-gone"),
    actions: ["backToList"],
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
  notTrusted: {
    severity: "error",
    placement: "signIn",
    message: (error, _, { t }) => t("error-not-trusted", { check: error.check }),
    actions: ["startAgain", "copySupport"],
  },
  wrongEnvironmentPair: {
    severity: "error",
    placement: "signIn",
    message: (error, _, { t }) => t("error-wrong-environment-pair", { address: error.authUrl }),
    actions: ["chooseEnvironment"],
  },
  clockOff: {
    severity: "error",
    placement: "banner",
    message: (error, _, { t }) =>
      t(error.minutes >= 0 ? "error-clock-ahead" : "error-clock-behind", { minutes: Math.abs(error.minutes) }),
    actions: ["howToSetClock", "startAgain"],
  },
  vault: {
    severity: "warning",
    placement: "dialog",
    message: (error, _, { t }) => t(`error-vault-${error.problem}`),
    actions: ["unlock", "continueSession"],
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

/** The error in the language of the localizer, with its placement and actions. */
export function describeError(error: CommandError, context: ErrorContext, localizer: Localizer): ErrorDescription {
  // TypeScript cannot infer that the row of a kind takes the error of that kind.
  const row = errorTable[error.kind] as Row<Kind>;
  return {
    severity: row.severity,
    placement: row.placement,
    text: row.message(error, context, localizer),
    actions: typeof row.actions === "function" ? row.actions(error, context) : row.actions,
  };
}

const OPERATION_LABELS = {
  list_invoices: "action-list",
  get_invoice: "action-get",
  check_outcome: "action-other",
  create_document: "action-create",
  update_document: "action-update",
  issue_document: "action-issue",
  freeze_document: "action-freeze",
} as const satisfies Record<OperationName, MessageId>;

/** What an operation does, as a verb phrase for the middle of a sentence. */
export function operationLabel(operation: string, { t }: Localizer): string {
  return t(isOperation(operation) ? OPERATION_LABELS[operation] : "action-other");
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATION_LABELS, name);
}

const LIFECYCLE_OPERATIONS: ReadonlySet<OperationName> = new Set(["issue_document", "freeze_document"]);

/** Whether an operation only changes the status of a document. It sends no content, so there is nothing to compare. */
function isLifecycleOperation(operation: string): boolean {
  return isOperation(operation) && LIFECYCLE_OPERATIONS.has(operation);
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
