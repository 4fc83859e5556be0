/** Opens how the amounts of a document that is only shown come about. */

import { useState } from "react";
import { Button } from "../components/Button";
import { lazyDialog } from "../components/lazyComponent";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceView } from "../ipc/bindings";

const ExplanationDialog = lazyDialog(async () => (await import("../editor/details/ExplanationDialog")).ExplanationDialog);

export function ExplainAmounts({ view: { row, content, taxBreakdown, payable } }: { view: InvoiceView }) {
  const { t } = useLocalizer();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="-me-2.25 mt-2 flex justify-end">
      <Button size="sm" variant="quiet" aria-haspopup="dialog" onPress={() => setOpen(true)}>
        {t("key-explain")}
      </Button>
      <ExplanationDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        content={content}
        taxBreakdown={taxBreakdown}
        path={payable === row.gross ? "totals.gross" : "totals.payable"}
      />
    </div>
  );
}
