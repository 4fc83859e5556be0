/** Opens the command palette on its shortcut. Its code is loaded with its first use. */

import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { lazyComponent } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { useWorkspace } from "../state/workspace";
import { recentsQuery } from "./recents";

const PaletteDialog = lazyComponent(async () => (await import("./PaletteDialog")).PaletteDialog);

export function CommandPalette() {
  const [open, setOpen] = useState(false);
  const { organization } = useWorkspace();
  // Known before the palette opens, so that its rows do not move.
  useQuery(recentsQuery(organization.id));
  const chosen = useRef<(() => void) | null>(null);
  useShortcut("palette", () => setOpen(true));
  // After the dialog has given the focus back: what is chosen may move it, or open another dialog.
  useEffect(() => {
    if (open) return;
    const frame = requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const run = chosen.current;
        chosen.current = null;
        run?.();
      }),
    );
    return () => cancelAnimationFrame(frame);
  }, [open]);
  if (!open) return null;
  return (
    <Suspense>
      <PaletteDialog
        onClose={(run) => {
          chosen.current = run;
          setOpen(false);
        }}
      />
    </Suspense>
  );
}
