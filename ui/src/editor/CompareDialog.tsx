/** Someone else saved meanwhile: mine and theirs for each field that both changed. Nothing is saved until it is chosen. */

import { useMemo, useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft, InvoiceContent, InvoiceView } from "../ipc/bindings";
import { fieldName } from "./fields";
import { textEntries, withText } from "./paths";
import { type Conflict, type Side, threeWayMerge } from "./threeWayMerge";

export interface CompareDialogProps {
  isOpen: boolean;
  onClose: () => void;
  draft: Draft;
  current: InvoiceView;
  onMerged: (draft: Draft) => void;
}

export function CompareDialog({ isOpen, onClose, draft, current, onMerged }: CompareDialogProps) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const [choices, setChoices] = useState<Record<string, Side>>({});
  const merge = useMemo(
    () => threeWayMerge(draft.changes?.content ?? blank(current.content), draft.content, current.content),
    [draft, current],
  );
  const open = merge.conflicts.filter(({ field }) => !choices[field]);
  const save = () =>
    onMerged({
      ...draft,
      content: merge.merged(choices),
      changes: { stamp: current.row.stamp, content: current.content },
    });
  const all = (side: Side) => setChoices(Object.fromEntries(merge.conflicts.map(({ field }) => [field, side])));
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
      <p className="pb-3 text-ink-2">{merge.conflicts.length === 0 ? t("compare-none") : t("compare-about")}</p>
      <ul className="flex flex-col gap-3">
        {merge.conflicts.map((conflict) => (
          <li key={conflict.field}>
            <ConflictChoice
              conflict={conflict}
              name={fieldName(conflict.field, localizer)}
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
  const without = [...textEntries(content).keys()].filter((path) => path !== "kind" && !path.startsWith("lines["));
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
  const { t } = useLocalizer();
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
