/** Actions that an error can offer. The component that shows the error provides the handlers. */

export type ErrorAction =
  | "goToFirst"
  | "edit"
  | "creditNote"
  | "discardDraft"
  | "compare"
  | "open"
  | "showBoth"
  | "checkNow"
  | "openDrafts"
  | "goToWindow"
  | "backToList"
  | "switch"
  | "copyRequest"
  | "copyForAdministrator"
  | "refreshOrganizations"
  | "signIn"
  | "tryNow"
  | "stop"
  | "tryAgain"
  | "later"
  | "showQueue"
  | "cancel"
  | "copySupport"
  | "startAgain"
  | "openAgain"
  | "copyLink"
  | "paste"
  | "loopback"
  | "unlock"
  | "continueSession"
  | "chooseEnvironment"
  | "howToSetClock";

/** Actions that do what another one does, under a label of their own. */
export const sameHandler: Partial<Record<ErrorAction, ErrorAction>> = { tryAgain: "tryNow", later: "stop", cancel: "stop" };
