/** Button and dialog that show the changes of two users that were saved together: theirs, then mine. */

import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { fieldName } from "../editor/fields";
import { changedFields, type FieldChange } from "../editor/threeWayMerge";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceContent, MergedChange } from "../ipc/bindings";

export function ShowBothButton({ merged, content }: { merged: MergedChange; content: InvoiceContent }) {
  const { t, format } = useLocalizer();
  const [isOpen, setOpen] = useState(false);
  const { by, time } = merged.event;
  return (
    <>
      <Button size="sm" onPress={() => setOpen(true)}>
        {t("act-showBoth")}
      </Button>
      <Modal title={t("act-showBoth")} width="md" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Changes
          title={t("both-theirs", { who: by, time: format.dateTime(time) })}
          changes={changedFields(merged.before, merged.theirs)}
        />
        <Changes title={t("both-mine")} changes={changedFields(merged.theirs, content)} />
      </Modal>
    </>
  );
}

function Changes({ title, changes }: { title: string; changes: readonly FieldChange[] }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const display = (field: string, text: string) =>
    field === "lines" ? t("line-count", { count: Number(text) }) : text === "" ? t("empty-value") : text;
  return (
    <section className="flex flex-col gap-2 pb-4 last:pb-0">
      <h3 className="font-semibold">{title}</h3>
      <dl className="flex flex-col gap-2">
        {changes.map(({ field, before, after }) => (
          <div key={field} className="rounded-md border border-line p-2">
            <dt className="text-fg-2 text-xs">{fieldName(field, localizer)}</dt>
            <dd className="numeric break-words">
              <del className="text-fg-3">
                <bdi dir="auto">{display(field, before)}</bdi>
              </del>{" "}
              <ins className="no-underline">
                <bdi dir="auto">{display(field, after)}</bdi>
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
