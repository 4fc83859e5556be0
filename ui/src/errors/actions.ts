/**
 * Actions that an error can offer. The component that shows the error provides the handlers of those that depend on its place; those
 * that help wherever an error is shown come from the window.
 */

import { createContext } from "react";

export type ErrorAction =
  | "goToFirst"
  | "edit"
  | "creditNote"
  | "discardDraft"
  | "compare"
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

/** Handlers of the actions. An action without a handler is not offered. */
export type ErrorHandlers = Partial<Record<ErrorAction, () => void>>;

/** Handlers that the window has for every error in it. */
export const WindowErrorHandlers = createContext<ErrorHandlers>({});
