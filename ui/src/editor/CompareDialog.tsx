/** Conflict dialog: shows both values of each field that two users changed. It saves only when all conflicts are resolved. */

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
    () => threeWayMerge(draft.changes?.content ?? emptied(current.content), draft.content, current.content),
    [draft, current],
  );
  const unresolved = merge.conflicts.filter(({ field }) => !choices[field]);
  const save = () =>
    onMerged({
      ...draft,
      content: merge.resolve(choices),
      changes: { stamp: current.row.stamp, content: current.content },
    });
  const chooseAll = (side: Side) => setChoices(Object.fromEntries(merge.conflicts.map(({ field }) => [field, side])));
  return (
    <Modal
      title={t("compare-title")}
      width="lg"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => chooseAll("mine")}>{t("keep-mine")}</Button>
          <Button onPress={() => chooseAll("theirs")}>{t("keep-theirs")}</Button>
          <Button variant="primary" isDisabled={unresolved.length > 0} onPress={save}>
            {t("compare-use")}
          </Button>
        </>
      }
    >
      <p className="pb-3 text-fg-2">{merge.conflicts.length === 0 ? t("compare-none") : t("compare-hint")}</p>
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

/** Two documents with one key have no common base. An empty base makes every difference a conflict. */
function emptied(content: InvoiceContent): InvoiceContent {
  const without = [...textEntries(content).keys()].filter((path) => path !== "kind" && !path.startsWith("lines["));
  return without.reduce<InvoiceContent>((result, path) => withText(result, path, ""), { ...content, lines: [] });
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
  const display = (text: string) =>
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
        <p className="text-fg-3 text-xs">
          {t("compare-before")} <bdi dir="auto">{display(conflict.base)}</bdi>
        </p>
      </div>
      {(["mine", "theirs"] as const).map((which) => (
        <Radio
          key={which}
          value={which}
          className="flex flex-col rounded-md border border-line-strong p-2 data-[selected]:border-accent data-[selected]:bg-accent-soft"
        >
          <span className="text-fg-2 text-xs">{t(which === "mine" ? "compare-mine" : "compare-theirs")}</span>
          <bdi dir="auto" className="numeric break-words">
            {display(conflict[which])}
          </bdi>
        </Radio>
      ))}
    </RadioGroup>
  );
}
