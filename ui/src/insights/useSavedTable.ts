/** Saving a table as a CSV file. */

import { useState } from "react";
import { showStatus } from "../components/statusMessage";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

export interface SavedTable {
  /** Of the file, without its extension. */
  name: string;
  /** The names of the columns first. */
  rows: string[][];
}

export function useSavedTable(table: () => SavedTable) {
  const { t } = useLocalizer();
  const [saveError, setSaveError] = useState<CommandError | null>(null);
  const showError = useShowError();
  const save = async () => {
    setSaveError(null);
    const { name, rows } = table();
    try {
      if (await call(commands.saveTable(name, rows))) showStatus(t("insights-saved"));
    } catch (thrown) {
      showError(commandError(thrown), setSaveError);
    }
  };
  return { save, saveError };
}
