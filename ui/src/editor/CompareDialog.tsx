/** Conflict dialog: what both sides changed, each with both values. It merges only when all conflicts are resolved. */

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { ConflictChoice } from "../comparison/ConflictChoice";
import { emptied } from "../comparison/contentParts";
import { MergedChanges } from "../comparison/MergedChanges";
import type { Choices, Side } from "../comparison/partMerge";
import { threeWayMerge } from "../comparison/threeWayMerge";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { authorText } from "../history/authorText";
import { withLatinDigits } from "../i18n/digits";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft, InvoiceContent, InvoiceView, LineContent } from "../ipc/bindings";
import type { Rebase } from "./draftHistory";

export interface CompareDialogProps {
  isOpen: boolean;
  onClose: () => void;
  draft: Draft;
  current: InvoiceView;
  /** `rebase` merges what the draft had before with the current state of the document. */
  onMerged: (draft: Draft, rebase: Rebase) => void;
}

export function CompareDialog({ isOpen, onClose, draft, current, onMerged }: CompareDialogProps) {
  const { t } = useLocalizer();
  const [choices, setChoices] = useState<Choices>({});
  const merge = useMemo(() => mergeOf(draft, current.content), [draft, current]);
  const unresolved = merge.conflicts.filter(({ id }) => !choices[id]);
  const list = useRef<HTMLUListElement>(null);
  const use = () => {
    const changes = { stamp: current.row.stamp, content: current.content };
    onMerged({ ...draft, content: merge.resolve(choices), changes }, (content) =>
      mergeOf({ ...draft, content }, current.content).resolve({ addedLines: "both" }),
    );
  };
  const chooseAll = (side: Side) => setChoices(Object.fromEntries(merge.conflicts.map(({ id }) => [id, side])));

  // A choice by its number goes on to the next conflict that is open, and after the last one to the button.
  const goesOn = useRef(false);
  const next = merge.conflicts.findIndex(({ id }) => !choices[id]);
  useEffect(() => {
    if (!goesOn.current) return;
    goesOn.current = false;
    const target = next === -1 ? "footer button[data-use]" : `[data-conflict="${next}"] input`;
    list.current?.closest("[role=dialog]")?.querySelector<HTMLElement>(target)?.focus();
  }, [next, choices]);
  const chooseByNumber = (id: string, sides: readonly Side[]) => (event: KeyboardEvent) => {
    const side = event.ctrlKey || event.metaKey || event.altKey ? undefined : sides[Number(withLatinDigits(event.key)) - 1];
    if (!side) return;
    event.preventDefault();
    goesOn.current = true;
    setChoices({ ...choices, [id]: side });
  };

  return (
    <Modal
      title={t("compare-title")}
      width="lg"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          {merge.conflicts.length > 1 && (
            <>
              <Button onPress={() => chooseAll("mine")}>{t("keep-mine")}</Button>
              <Button onPress={() => chooseAll("theirs")}>{t("keep-theirs")}</Button>
            </>
          )}
          <Button onPress={onClose}>{t("compare-later")}</Button>
          <Button
            data-use=""
            variant="primary"
            autoFocus={merge.conflicts.length === 0}
            isDisabled={unresolved.length > 0}
            onPress={use}
          >
            {t("compare-use")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Author view={current} />
        <p className="text-fg-2">{t(merge.conflicts.length === 0 ? "compare-none" : "compare-hint")}</p>
        {merge.conflicts.length > 0 && (
          <>
            <ul ref={list} className="flex flex-col gap-4">
              {merge.conflicts.map((conflict, index) => (
                <li key={conflict.id} data-conflict={index}>
                  <ConflictChoice
                    conflict={conflict}
                    currency={current.row.currency}
                    side={choices[conflict.id] ?? null}
                    takesFocus={index === 0}
                    onChoose={(side) => setChoices({ ...choices, [conflict.id]: side })}
                    onKeyDown={chooseByNumber(conflict.id, conflict.sides)}
                  />
                </li>
              ))}
            </ul>
            <p role="status" className="text-fg-2 text-xs">
              {t("compare-open", { count: unresolved.length })}
            </p>
          </>
        )}
        <MergedChanges merged={merge.merged} currency={current.row.currency} />
      </div>
    </Modal>
  );
}

/** Who made the other change, and when. */
function Author({ view }: { view: InvoiceView }) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const event = view.updated ?? view.created;
  if (!event) return null;
  const age = format.age(event.time, new Date());
  const time = format.dateTime(event.time);
  return (
    <p className="font-semibold">
      {event.by === "" ? t("compare-when", { age, time }) : t("compare-who", { who: authorText(event.by, localizer), age, time })}
    </p>
  );
}

function mergeOf({ changes, content }: Draft, current: InvoiceContent) {
  return threeWayMerge(changes?.content ?? withoutTexts(current), content, current);
}

/** Two documents with one key have no common base. One without texts makes every difference a conflict. */
function withoutTexts(content: InvoiceContent): InvoiceContent {
  const lines = content.lines.map((line) => emptied(line) as LineContent);
  return { ...(emptied(content) as InvoiceContent), kind: content.kind, lines };
}
