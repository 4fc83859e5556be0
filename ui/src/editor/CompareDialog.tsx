/** Someone else saved meanwhile: mine and theirs for each field that both changed. Nothing is saved until it is chosen. */

import { useMemo, useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import type { Draft, InvoiceContent, InvoiceView } from "../ipc/bindings";
import { Button } from "../parts/Button";
import { Modal } from "../parts/Modal";
import { useWords } from "../words/WordsProvider";
import { type Conflict, compare, type Side } from "./compare";
import { fieldName } from "./fields";
import { texts, withText } from "./paths";

export interface CompareDialogProps {
  isOpen: boolean;
  onClose: () => void;
  draft: Draft;
  current: InvoiceView;
  onMerged: (draft: Draft) => void;
}

export function CompareDialog({ isOpen, onClose, draft, current, onMerged }: CompareDialogProps) {
  const words = useWords();
  const { t } = words;
  const [choices, setChoices] = useState<Record<string, Side>>({});
  const comparison = useMemo(
    () => compare(draft.changes?.content ?? blank(current.content), draft.content, current.content),
    [draft, current],
  );
  const open = comparison.conflicts.filter(({ field }) => !choices[field]);
  const save = () =>
    onMerged({
      ...draft,
      content: comparison.merged(choices),
      changes: { stamp: current.row.stamp, content: current.content },
    });
  const all = (side: Side) => setChoices(Object.fromEntries(comparison.conflicts.map(({ field }) => [field, side])));
  return (
    <Modal
      title={t("compare-title")}
      width="lg"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => all("mine")}>{t("keep-mine")}</Button>
          <Button onPress={() => all("theirs")}>{t("keep-theirs")}</Button>
          <Button tone="primary" isDisabled={open.length > 0} onPress={save}>
            {t("compare-use")}
          </Button>
        </>
      }
    >
      <p className="pb-3 text-ink-2">{comparison.conflicts.length === 0 ? t("compare-none") : t("compare-about")}</p>
      <ul className="flex flex-col gap-3">
        {comparison.conflicts.map((conflict) => (
          <li key={conflict.field}>
            <ConflictChoice
              conflict={conflict}
              name={fieldName(conflict.field, words)}
              side={choices[conflict.field] ?? null}
              onChoose={(side) => setChoices({ ...choices, [conflict.field]: side })}
            />
          </li>
        ))}
      </ul>
    </Modal>
  );
}

/** Where two documents met under one key, nothing came before: whatever differs is to be chosen. */
function blank(content: InvoiceContent): InvoiceContent {
  const without = [...texts(content).keys()].filter((path) => path !== "kind" && !path.startsWith("lines["));
  return without.reduce<InvoiceContent>((emptied, path) => withText(emptied, path, ""), { ...content, lines: [] });
}

function ConflictChoice({
  conflict,
  name,
  side,
  onChoose,
}: {
  conflict: Conflict;
  name: string;
  side: Side | null;
  onChoose: (side: Side) => void;
}) {
  const { t } = useWords();
  const shown = (text: string) =>
    conflict.field === "lines" ? t("line-count", { count: Number(text) }) : text === "" ? t("empty-value") : text;
  return (
    <RadioGroup
      aria-label={name}
      value={side}
      onChange={(value) => onChoose(value as Side)}
      className="grid grid-cols-[minmax(120px,1fr)_2fr_2fr] items-stretch gap-2 max-narrow:grid-cols-1"
    >
      <div className="self-center">
        <p className="font-semibold">{name}</p>
        <p className="text-ink-3 text-xs">
          {t("compare-before")} <bdi dir="auto">{shown(conflict.before)}</bdi>
        </p>
      </div>
      {(["mine", "theirs"] as const).map((which) => (
        <Radio
          key={which}
          value={which}
          className="flex flex-col rounded-md border border-line-strong p-2 data-[selected]:border-accent data-[selected]:bg-accent-soft"
        >
          <span className="text-ink-2 text-xs">{t(which === "mine" ? "compare-mine" : "compare-theirs")}</span>
          <bdi dir="auto" className="figures break-words">
            {shown(conflict[which])}
          </bdi>
        </Radio>
      ))}
    </RadioGroup>
  );
}
