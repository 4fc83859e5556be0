/** Errors of calls of the service: its answers, and none. */

import type { ErrorRows } from "./errorRow";
import {
  isAdministrationRead,
  isAttachmentOperation,
  isFileOperation,
  isFilesOperation,
  isFilterOperation,
  isMemoryOperation,
  isNotSentLater,
  isPaymentOperation,
  lifecycleStepOf,
  operationLabel,
} from "./operations";
import { isOutage } from "./outage";

export const serviceErrors = {
  invalidArgument: {
    severity: "error",
    placement: "fields",
    message: (error, { organization, number }, { t }) => {
      const { operation } = error.support;
      const count = error.violations.length;
      if (isAttachmentOperation(operation)) return t("error-attachment-content");
      if (isFilterOperation(operation)) return t("error-filter-unreadable");
      if (isMemoryOperation(operation)) return t("error-memory-invalid");
      if (lifecycleStepOf(operation) === "issue") return t("error-not-issuable", { count, number });
      if (lifecycleStepOf(operation) === "freeze") return t("error-not-freezable", { count, number });
      return t("error-invalid", { count, organization });
    },
    actions: ({ support: { operation } }) => {
      if (lifecycleStepOf(operation) === "issue") return ["edit"];
      const isApart = [isAttachmentOperation, isFilterOperation, isMemoryOperation].some((isOne) => isOne(operation));
      return isApart || lifecycleStepOf(operation) !== null ? [] : ["goToFirst"];
    },
  },
  failedPrecondition: {
    severity: "warning",
    placement: "document",
    message: (error, { number }, { t, format }) => {
      const { current } = error;
      if (error.support.reason === "AUTHORITY_PENDING") return t("error-authority-pending", { number });
      if (error.support.reason === "DOCUMENT_NOT_SEALABLE") return t("error-not-sealable", { number });
      if (error.support.reason === "NOT_WRITABLE") return t("error-not-writable", { number });
      if (error.support.reason === "PAYMENT_ABOVE_OPEN") return t("error-payment-above-open");
      if (isPaymentOperation(error.support.operation)) return t("error-payment-state");
      if (isAttachmentOperation(error.support.operation)) return t("error-attachment-closed");
      if (!current?.frozen)
        return t(current?.row.status === "frozen" || error.support.reason === "DOCUMENT_FROZEN" ? "error-frozen" : "error-state");
      return t("error-frozen-by", {
        number: current.row.number,
        date: format.dateTime(current.frozen.time),
        who: current.frozen.by,
      });
    },
    actions: (error) => {
      if (isPaymentOperation(error.support.operation) || isAttachmentOperation(error.support.operation)) return [];
      if (error.support.reason === "AUTHORITY_PENDING") return ["tryNow", "backToList"];
      if (error.support.reason === "DOCUMENT_NOT_SEALABLE") return ["edit"];
      if (error.support.reason === "NOT_WRITABLE") return [];
      const row = error.current?.row;
      if (row?.status !== "frozen") return ["backToList"];
      // No credit note corrects another one.
      return [row.kind === "creditNote" ? "backToList" : "creditNote", "discardDraft"];
    },
  },
  aborted: {
    severity: "warning",
    placement: "compare",
    message: (error, { fields }, { t }) => {
      if (lifecycleStepOf(error.support.operation) !== null) return t("error-aborted-step");
      if (isMemoryOperation(error.support.operation)) return t("error-memory-changed");
      if (!error.current) return t("error-aborted-unread");
      return fields === "" ? t("error-aborted-fields") : t("error-aborted", { fields });
    },
    actions: (error) => {
      // It was read again, and the offer that stays has the new state.
      if (isMemoryOperation(error.support.operation)) return [];
      return error.current && lifecycleStepOf(error.support.operation) === null ? ["compare"] : ["tryNow"];
    },
  },
  alreadyExists: {
    severity: "warning",
    placement: "action",
    message: (error, _, { t }) => {
      if (isPaymentOperation(error.support.operation)) return t("error-payment-exists");
      if (isMemoryOperation(error.support.operation)) return t("error-memory-exists");
      return t(error.current ? "error-exists" : "error-exists-unread");
    },
    actions: (error) => {
      if (isPaymentOperation(error.support.operation) || isMemoryOperation(error.support.operation)) return [];
      return error.current ? ["compare"] : ["copySupport"];
    },
  },
  notFound: {
    severity: "warning",
    placement: "document",
    message: (error, _, { t }) => t(isMemoryOperation(error.support.operation) ? "error-memory-gone" : "error-not-found"),
    actions: (error) => (isMemoryOperation(error.support.operation) ? [] : ["backToList", "switch"]),
  },
  permissionDenied: {
    severity: "warning",
    placement: "action",
    message: (error, { organization }, localizer) =>
      localizer.t("error-denied", { action: operationLabel(error.support.operation, localizer), organization }),
    actions: ["copyRequest", "refreshOrganizations"],
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
    placement: "action",
    message: (_error, { organization }, { t }) => t("error-plan", { organization }),
    actions: ["copyForAdministrator"],
  },
  organizationUnavailable: {
    severity: "warning",
    placement: (error) => (isOutage(error) ? "window" : "list"),
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
    placement: "action",
    message: (error, _, { t }) =>
      error.support.correlationId === "" ? t("error-internal-no-id") : t("error-internal", { id: error.support.correlationId }),
    actions: ["copySupport"],
  },
  offline: {
    severity: "warning",
    placement: "status",
    message: (error, { lastAnswer }, { t }) => {
      if (isFileOperation(error.support.operation)) return t("error-offline-file");
      if (isFilesOperation(error.support.operation)) return t("error-offline-files");
      if (lifecycleStepOf(error.support.operation) !== null) return t("error-offline-step");
      if (isNotSentLater(error.support.operation)) return t("error-offline-unsent");
      if (isAdministrationRead(error.support.operation)) return t("error-offline-administration");
      // Before the sign-in there is nothing that could be kept and sent.
      if (error.support.organization === "") return t("error-offline-sign-in");
      return lastAnswer === "" ? t("error-offline") : t("error-offline-since", { time: lastAnswer });
    },
    actions: ["tryNow"],
  },
  unknownOutcome: {
    severity: "warning",
    placement: "inline",
    message: (error, { organization }, { t }) =>
      t(error.support.operation === "discard_draft" ? "discard-problem-sent" : "error-unknown-outcome", { organization }),
    actions: ["checkNow", "openDrafts"],
  },
  unexpectedResponse: {
    severity: "error",
    placement: "action",
    message: (error, _, { t }) => t("error-unexpected-response", { status: String(error.status) }),
    actions: ["tryNow", "copySupport"],
  },
} satisfies ErrorRows;
