/** The messages of each action of a bulk run. */

import type { MessageId } from "../i18n/localizer";
import type { BulkAction } from "../ipc/bindings";

const ofSaving = {
  confirm: "bulk-save-confirm",
  name: "bulk-run-save",
  running: "bulk-saving",
  stopped: "bulk-save-stopped",
  interrupted: "bulk-save-interrupted",
  finished: "bulk-saved",
  finishedPartly: "bulk-saved-partly",
} as const;

export const actionTexts = {
  issue: {
    title: "bulk-issue-title",
    hint: "bulk-issue-hint",
    none: "bulk-none-to-issue",
    confirm: "bulk-issue-confirm",
    name: "bulk-run-issue",
    running: "bulk-issuing",
    stopped: "bulk-issue-stopped",
    interrupted: "bulk-issue-interrupted",
    finished: "bulk-issued",
    finishedPartly: "bulk-issued-partly",
  },
  freeze: {
    title: "bulk-freeze-title",
    hint: "bulk-freeze-hint",
    none: "bulk-none-to-freeze",
    confirm: "bulk-freeze-confirm",
    name: "bulk-run-freeze",
    running: "bulk-freezing",
    stopped: "bulk-freeze-stopped",
    interrupted: "bulk-freeze-interrupted",
    finished: "bulk-frozen",
    finishedPartly: "bulk-frozen-partly",
  },
  savePdf: { ...ofSaving, title: "bulk-save-pdf-title", hint: "bulk-save-pdf-hint", none: "bulk-none-to-save-pdf" },
  saveUbl: { ...ofSaving, title: "bulk-save-ubl-title", hint: "bulk-save-ubl-hint", none: "bulk-none-to-save-ubl" },
} as const satisfies Record<BulkAction, Record<string, MessageId>>;
