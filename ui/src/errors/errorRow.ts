/** What the error table says of a kind: severity, placement, message, actions. */

import type { Localizer } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";
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

export type ErrorKind = CommandError["kind"];
type Of<K extends ErrorKind> = Extract<CommandError, { kind: K }>;

/** The presentation of a kind of errors. */
export interface ErrorRow<K extends ErrorKind> {
  severity: Severity;
  placement: ErrorPlacement | ((error: Of<K>) => ErrorPlacement);
  message: (error: Of<K>, context: ErrorContext, localizer: Localizer) => string;
  actions: readonly ErrorAction[] | ((error: Of<K>, context: ErrorContext) => readonly ErrorAction[]);
}

/** Rows of some kinds. The table has those of all. */
export type ErrorRows = { [K in ErrorKind]?: ErrorRow<K> };
