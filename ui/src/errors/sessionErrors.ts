/** Errors of signing in, and of the session, its environment and its organizations. */

import type { LocalEnvironmentProblem } from "../ipc/bindings";
import type { ErrorRows } from "./errorRow";

export const sessionErrors = {
  sessionEnded: {
    severity: "warning",
    placement: "banner",
    message: (_error, { environment }, { t }) => t("error-session-ended", { environment }),
    actions: ["signIn"],
  },
  notSignedIn: {
    severity: "warning",
    placement: "banner",
    message: (_error, _, { t }) => t("error-not-signed-in"),
    actions: ["signIn"],
  },
  notWhileImpersonating: {
    severity: "info",
    placement: "inline",
    message: (_error, _, { t }) => t("error-impersonating"),
    actions: [],
  },
  organizationNotGranted: {
    severity: "warning",
    placement: "list",
    message: (error, _, { t }) => t("error-not-granted", { organization: error.organization }),
    actions: ["switch", "refreshOrganizations"],
  },
  accountNotRead: {
    severity: "warning",
    placement: "signIn",
    message: (error, _, { t }) => t("error-account-not-read", { reason: t(`disk-problem-${error.problem}`) }),
    actions: ["tryAgain"],
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
  loopbackNotOpened: {
    severity: "error",
    placement: "signIn",
    message: (_error, _, { t }) => t("error-loopback"),
    actions: ["startAgain"],
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
} satisfies ErrorRows;

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
