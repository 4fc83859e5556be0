/** The shortcuts of the whole window, and what it reads besides its screen. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { lazyDialog } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { useNewDraft } from "../drafts/useNewDraft";
import { showWindowError } from "../errors/windowError";
import { call, commands } from "../ipc/call";
import { useOrganizationShortcuts } from "../organizations/useOrganizationShortcuts";
import { usePinnedOrganizations } from "../organizations/usePinnedOrganizations";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { recurringDraftsQuery } from "../templates/templateQueries";
import { reloadOrganization } from "../windows/useChangedData";

const ShortcutsDialog = lazyDialog(async () => (await import("./ShortcutsDialog")).ShortcutsDialog);

export function GlobalShortcuts() {
  const { navigate, flushAutosaves } = useNavigation();
  const { start, available } = useNewDraft(showWindowError);
  const { organization } = useWorkspace();
  const pins = usePinnedOrganizations(showWindowError);
  const [sheet, setSheet] = useState(false);
  const client = useQueryClient();
  useQuery(recurringDraftsQuery(client, organization.id));
  useShortcut("newInvoice", () => start(null), available);
  useShortcut("settings", () => navigate({ name: "settings" }));
  useShortcut("reload", () => reloadOrganization(client, organization.id));
  // Drafts of the other windows are written with each change.
  useShortcut(
    "quit",
    () =>
      void flushAutosaves().then(
        () => call(commands.quit()),
        () => undefined,
      ),
  );
  useShortcut("sheet", () => setSheet(true));
  useShortcut("pinOrganization", () => void pins.toggle(organization));
  useOrganizationShortcuts();
  return <ShortcutsDialog isOpen={sheet} onClose={() => setSheet(false)} />;
}
