/** Button and dialog that show the changes of two users that were saved together: theirs, then mine. */

import { useState } from "react";
import { ChangeList } from "../comparison/ChangeList";
import { type Change, changesBetween } from "../comparison/changes";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
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
          changes={changesBetween(merged.before, merged.theirs)}
          currency={content.currency}
        />
        <Changes title={t("both-mine")} changes={changesBetween(merged.theirs, content)} currency={content.currency} />
      </Modal>
    </>
  );
}

function Changes({ title, changes, currency }: { title: string; changes: readonly Change[]; currency: string }) {
  return (
    <section className="flex flex-col gap-1 pb-4 last:pb-0">
      <h3 className="font-semibold">{title}</h3>
      <ChangeList changes={changes} currency={currency} />
    </section>
  );
}
