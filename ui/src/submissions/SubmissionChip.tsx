/** What the tax authority says about a document, as a small chip beside its status in a list. */

import { Ban, CircleQuestionMark, Hourglass, type LucideIcon, MessageSquareWarning } from "lucide-react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import type { SubmissionState } from "../ipc/bindings";

/** In a narrow list the shape stands for the word. Answers that are the rule have no chip: nobody has to look at them. */
const icons: Record<SubmissionState, LucideIcon | null> = {
  pending: Hourglass,
  unanswered: CircleQuestionMark,
  rejected: Ban,
  cleared: null,
  reported: null,
  accepted: null,
};

export function SubmissionChip({ state, hasWarnings }: { state: SubmissionState; hasWarnings: boolean }) {
  const { t } = useLocalizer();
  const Icon = hasWarnings ? MessageSquareWarning : icons[state];
  if (Icon === null) return null;
  const word = hasWarnings ? t("submission-state-remarks") : t(`submission-state-${state}`);
  // Beside the word of the status, the word alone would not say whose it is.
  const whole = plainText(t("facet-is", { name: t("submission"), value: word }));
  return (
    <span
      data-submission={state}
      title={whole}
      className="inline-flex min-w-0 items-center gap-1 rounded-sm border border-line-strong px-1 py-px text-2xs text-fg-2"
    >
      <Icon size={10} aria-hidden="true" className="shrink-0" />
      {/* The status beside it is the same word. */}
      {state !== "rejected" && (
        <span aria-hidden="true" className="submission-word truncate">
          {word}
        </span>
      )}
      <span className="visually-hidden">{whole}</span>
    </span>
  );
}
