/** The command that moves a draft to another organization. Few need it: the palette has it, and the header of the form no button. */

import { Suspense, useState } from "react";
import { useCommand } from "../components/commands";
import { lazyComponent } from "../components/lazyComponent";
import type { MoveDraftDialogProps } from "./MoveDraftDialog";

const MoveDraftDialog = lazyComponent(async () => (await import("./MoveDraftDialog")).MoveDraftDialog);

export function MoveDraft(props: Omit<MoveDraftDialogProps, "onClose">) {
  const [isOpen, setOpen] = useState(false);
  useCommand("moveDraft", "draft-move", () => setOpen(true));
  return (
    isOpen && (
      <Suspense>
        <MoveDraftDialog {...props} onClose={() => setOpen(false)} />
      </Suspense>
    )
  );
}
