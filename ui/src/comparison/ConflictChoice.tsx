/** One conflict: what was there before, and the values of both sides to choose from, by arrow keys or their numbers. */

import { Check } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { Kbd } from "../components/Kbd";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { LineContent } from "../ipc/bindings";
import { SubjectName } from "./ChangeList";
import type { Conflict, Side } from "./partMerge";
import { subjectName } from "./partText";
import { ValueText } from "./ValueText";

export interface ConflictChoiceProps {
  conflict: Conflict;
  currency: string;
  side: Side | null;
  takesFocus: boolean;
  onChoose: (side: Side) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function ConflictChoice({ conflict, currency, side, takesFocus, onChoose, onKeyDown }: ConflictChoiceProps) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { subject, base, sides } = conflict;
  const values = {
    mine: conflict.mine,
    theirs: conflict.theirs,
    both: subject.of === "addedLines" ? [...(conflict.theirs as LineContent[]), ...(conflict.mine as LineContent[])] : undefined,
  };
  return (
    // The keys are those of the radio that has the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKeyDown}>
      <RadioGroup
        aria-label={subjectName(subject, localizer)}
        value={side}
        onChange={(value) => onChoose(value as Side)}
        orientation="horizontal"
        className="flex flex-col gap-1.5"
      >
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-semibold">
            <SubjectName subject={subject} />
          </span>
          {subject.of !== "addedLines" && (
            <span className="text-fg-2 text-xs">
              {t("compare-before")} <ValueText subject={subject} value={base} currency={currency} />
            </span>
          )}
        </p>
        <div className={`grid gap-2 max-narrow:grid-cols-1 ${sides.length === 3 ? "grid-cols-3" : "grid-cols-2"}`}>
          {sides.map((each, index) => (
            <Radio
              key={each}
              value={each}
              autoFocus={takesFocus && index === 0}
              className="flex min-w-0 flex-col gap-0.5 rounded-md border border-line-strong bg-surface p-2 data-[hovered]:border-control data-[selected]:border-accent data-[selected]:bg-accent-soft"
            >
              <span className="flex items-center gap-1.5 text-fg-2 text-xs">
                {t(`compare-${each}`)}
                {/* The radio is announced as selected; colour alone would not show it, and high contrast removes it. */}
                {each === side && <Check size={14} strokeWidth={3} aria-hidden="true" data-chosen="" className="text-accent" />}
                <span className="flex-1" />
                <Kbd keys={String(index + 1)} variant="quiet" />
              </span>
              <span>
                <ValueText subject={subject} value={values[each]} currency={currency} />
              </span>
            </Radio>
          ))}
        </div>
      </RadioGroup>
    </div>
  );
}
