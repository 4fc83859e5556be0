/** The rows of the table of errors that support and documentation know by heart, for the tests. A change here is a decision. */

import { errors } from "../gallery/fixtures";
import type { CommandError } from "../ipc/bindings";
import type { ErrorAction } from "./actions";
import type { ErrorPlacement } from "./errorRow";

export interface Row {
  name: string;
  error: CommandError;
  /** Pending retries add the sentence with the countdown. */
  retried?: boolean;
  words: string | RegExp;
  placement: ErrorPlacement;
  actions: Partial<Record<ErrorAction, string>>;
}

function sample<K extends CommandError["kind"]>(kind: K, index = 0): CommandError {
  const error = errors[kind][index];
  if (!error) throw new Error(`there is no sample ${index} of ${kind}`);
  return error;
}

export const rows: Row[] = [
  {
    name: "INVALID_ARGUMENT",
    error: sample("invalidArgument", 2),
    words: "3 things need attention before this can be saved. Nothing was sent to Noor's books.",
    placement: "fields",
    actions: { goToFirst: "Go to first" },
  },
  {
    name: "FAILED_PRECONDITION, frozen",
    error: sample("failedPrecondition"),
    words: /^\S+ was frozen on .+ by .+\. Frozen documents cannot change\. Your edits are kept as a draft\.$/,
    placement: "document",
    actions: { creditNote: "Credit note with my changes", discardDraft: "Discard my draft" },
  },
  {
    name: "ABORTED, same field",
    error: sample("aborted", 2),
    words: "Someone else changed Due date, Note. Choose for each; nothing is saved until you do.",
    placement: "compare",
    actions: { compare: "Compare" },
  },
  {
    name: "ALREADY_EXISTS otherwise",
    error: sample("alreadyExists"),
    words: "A document with this key exists. Compare before you go on.",
    placement: "action",
    actions: { compare: "Compare" },
  },
  {
    name: "unknown outcome",
    error: sample("unknownOutcome"),
    words: "We could not learn whether Noor received this. It is being checked; do not enter it again.",
    placement: "inline",
    actions: { checkNow: "Check now", openDrafts: "Leave it in Unsent drafts" },
  },
  {
    name: "NOT_FOUND",
    error: sample("notFound"),
    words: "This document is no longer there, or it belongs to another organization.",
    placement: "document",
    actions: { backToList: "Back to the list", switch: "Switch organization" },
  },
  {
    name: "PERMISSION_DENIED",
    error: sample("permissionDenied"),
    words: /^You may not .+ in Noor with your current role\. Your work is kept\.$/,
    placement: "action",
    actions: { copyRequest: "Copy a request for your administrator", refreshOrganizations: "Refresh my organizations" },
  },
  {
    name: "UNAUTHENTICATED, refresh failed for good",
    error: sample("sessionEnded"),
    words: "You have been signed out of Staging. Nothing you typed is lost.",
    placement: "banner",
    actions: { signIn: "Sign in to continue" },
  },
  {
    name: "offline or no route",
    error: sample("offline"),
    words: "No connection. You see the state of 3 Nov, 09:12; what you save is kept here and sent later.",
    placement: "status",
    actions: { tryNow: "Try now" },
  },
  {
    name: "RESOURCE_EXHAUSTED, rate",
    error: sample("rateLimited"),
    words: "Noor is being asked too often. 3 writes wait; the next goes in 8 s.",
    placement: "status",
    actions: { showQueue: "Show the queue", cancel: "Cancel" },
  },
  {
    name: "RESOURCE_EXHAUSTED, plan",
    error: sample("planLimit"),
    words: "Noor's plan allows no more documents this month. The draft is kept.",
    placement: "action",
    actions: { copyForAdministrator: "Copy for your administrator" },
  },
  {
    name: "503 with an empty body, other organizations answer",
    error: sample("organizationUnavailable"),
    retried: true,
    words: "Noor is not available right now. Your other organizations are. Trying again in 8 s.",
    placement: "list",
    actions: { switch: "Switch organization", copySupport: "Copy support details" },
  },
  {
    name: "503 with an empty body, all fail",
    error: sample("organizationUnavailable", 1),
    retried: true,
    words: "The service cannot tell which organization you belong to. Trying again in 8 s.",
    placement: "window",
    actions: { copySupport: "Copy support details" },
  },
  {
    name: "UNAVAILABLE",
    error: sample("unavailable"),
    retried: true,
    words: "The service is busy and did not do this yet. Trying again in 8 s.",
    placement: "inline",
    actions: { tryNow: "Try now", stop: "Stop" },
  },
  {
    name: "UNAVAILABLE, tax authority",
    error: sample("unavailable", 1),
    words:
      "The tax authority does not answer yet. INV-7 is issued and keeps its number, and it is sent again by itself until there is an answer.",
    placement: "document",
    actions: { tryAgain: "Try again", later: "Later" },
  },
  {
    name: "INTERNAL, second time",
    error: sample("internal"),
    words:
      /^Something went wrong at the service\. Nothing was changed as far as it says\. Support can find it by this id: [0-9a-f-]{36}\.$/,
    placement: "action",
    actions: { copySupport: "Copy support details" },
  },
  {
    name: "callback refused",
    error: sample("callbackRefused", 1),
    words: "This answer belongs to another sign-in attempt, so it was not used.",
    placement: "signIn",
    actions: { startAgain: "Start again" },
  },
  {
    name: "no address of this computer for the answer",
    error: sample("loopbackNotOpened"),
    words:
      "This computer has no free address for your browser to come back to, so no sign-in was started. Nothing you typed is lost. Close programs that you do not need, then start again.",
    placement: "signIn",
    actions: { startAgain: "Start again" },
  },
  {
    name: "keyring locked",
    error: sample("vault"),
    words: "Your system's keyring is locked. Without it you stay signed in only until you close the window.",
    placement: "dialog",
    actions: { unlock: "Unlock", continueSession: "Continue for this session" },
  },
  {
    name: "keyring absent",
    error: sample("vault", 1),
    words: "Your system's keyring is not available. Without it you stay signed in only until you close the window.",
    placement: "dialog",
    // There is nothing to unlock.
    actions: { continueSession: "Continue for this session" },
  },
  {
    name: "account that cannot be read",
    error: sample("accountNotRead"),
    words:
      "This computer could not read who was signed in: an unexpected error. Nothing was deleted, and your drafts are kept. Try again, or sign in.",
    placement: "signIn",
    actions: { tryAgain: "Try again" },
  },
  {
    name: "wrong environment pair",
    error: sample("wrongEnvironmentPair"),
    words: "This project id does not belong to https://auth.staging.example. Host and project id always change together.",
    placement: "fields",
    actions: { chooseEnvironment: "Choose an environment" },
  },
  {
    name: "clock ahead by more than five minutes",
    error: sample("clockOff"),
    words: "Your computer's clock is 7 minutes ahead. Signing in needs the right time.",
    placement: "banner",
    actions: { howToSetClock: "How to set it" },
  },
  {
    name: "clock behind by more than five minutes",
    error: sample("clockOff", 3),
    words: "Your computer's clock is 90 minutes behind. Signing in needs the right time.",
    placement: "banner",
    actions: { howToSetClock: "How to set it" },
  },
];
