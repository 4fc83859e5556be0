/** Keeps the menu bar of the system current, and runs what was chosen there. Where the system has none, it does nothing. */

import { useEffect } from "react";
import { runCommand, useApplicableCommands } from "../components/commands";
import { isDialogOpen, useDialogOpen } from "../components/openDialogs";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { call, commands } from "../ipc/call";
import { useSnapshot } from "../state/snapshotStore";
import { usePreferences } from "../state/usePreferences";
import { applicationMenu } from "./applicationMenu";

/** Whether the system has a menu bar of the application; not known before the first answer. */
let hasMenuBar = true;

export function MenuBar() {
  const localizer = useLocalizer();
  const covered = useDialogOpen();
  const applicable = useApplicableCommands();
  const { preferences } = usePreferences();
  useEffect(() => {
    // Several views are added and removed in one change of the screen.
    let frame = 0;
    const show = () => {
      if (!hasMenuBar || !document.hasFocus()) return;
      const menu = applicationMenu(localizer, covered);
      void call(commands.showMenu(menu)).then(
        (shown) => {
          hasMenuBar = shown;
        },
        () => undefined,
      );
    };
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(show);
    };
    soon();
    window.addEventListener("focus", soon);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("focus", soon);
    };
  }, [localizer, covered, applicable, preferences.shortcuts]);

  const snapshot = useSnapshot();
  const chosenSince = snapshot?.menuChoiceWaits === true ? snapshot.revision : null;
  useEffect(() => {
    if (chosenSince !== null) void runChoices();
  }, [chosenSince]);
  return null;
}

/** Runs what was chosen, in the order of the choices. */
async function runChoices(): Promise<void> {
  const id = await call(commands.takeMenuChoice()).catch(() => null);
  if (id === null) return;
  // A dialog may have opened since.
  runCommand(id, isDialogOpen());
  await runChoices();
}
