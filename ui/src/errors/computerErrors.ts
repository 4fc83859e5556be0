/** Errors of this computer: drafts, windows and files. */

import type { ErrorRows } from "./errorRow";

export const computerErrors = {
  staleBinding: {
    severity: "info",
    placement: "inline",
    message: (_error, _, { t }) => t("error-stale"),
    actions: ["tryNow"],
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
  draftNotMoved: {
    severity: "warning",
    placement: "inline",
    message: (error, _, { t }) => t(`move-problem-${error.problem}`),
    actions: [],
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
    message: (error, _, { t }) => t("error-storage", { reason: t(`disk-problem-${error.problem}`) }),
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
  invalidCall: {
    severity: "error",
    placement: "action",
    message: (_error, _, { t }) => t("error-bad-call"),
    actions: ["copySupport"],
  },
} satisfies ErrorRows;
