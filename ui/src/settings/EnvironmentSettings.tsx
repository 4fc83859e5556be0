/** The environments of this computer, which can be added, changed and removed. */

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button";
import { EnvironmentBadge } from "../environments/EnvironmentBadge";
import { EnvironmentDialog } from "../environments/EnvironmentDialog";
import { environmentsQuery } from "../environments/environmentsQuery";
import { ErrorNotice } from "../errors/ErrorNotice";
import { environmentHost, environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { EnvironmentConfig } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { useWorkspace } from "../state/workspace";

export function EnvironmentSettings() {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { session } = useWorkspace();
  const environments = useQuery(environmentsQuery);
  /** Configuration in the dialog: `null` for a new one, `undefined` while the dialog is closed. */
  const [edited, setEdited] = useState<EnvironmentConfig | null | undefined>(undefined);
  if (environments.error) {
    const handlers = { tryNow: () => void environments.refetch() };
    return <ErrorNotice error={commandError(environments.error)} variant="card" handlers={handlers} />;
  }
  return (
    <>
      <p className="text-fg-2">{t("settings-environments-hint")}</p>
      <ul className="rounded-md border border-line-strong bg-surface">
        {(environments.data ?? []).map((environment) => {
          const inUse = environment.name === session.environment.name;
          const host = environmentHost(environment);
          return (
            <li
              key={environment.name}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-2 last:border-b-0"
            >
              <span className="min-w-40 flex-1">
                <span className="flex items-center gap-2">
                  <bdi className="font-semibold">{environmentName(environment, localizer)}</bdi>
                  {environment.kind !== "local" && <EnvironmentBadge environment={environment} />}
                </span>
                <span className="block text-fg-2 text-xs">
                  {environment.kind === "local" ? t("environment-local-hint") : <bdi dir="ltr">{host}</bdi>}
                </span>
              </span>
              {inUse && <span className="text-fg-2 text-xs">{t("account-active")}</span>}
              {environment.config && (
                <Button
                  size="sm"
                  isDisabled={inUse}
                  aria-label={t("environment-change", { name: environment.name })}
                  onPress={() => setEdited(environment.config)}
                >
                  {t("keys-change")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <div>
        <Button data-add-environment="" onPress={() => setEdited(null)} icon={<Plus size={14} aria-hidden="true" />}>
          {t("environment-add")}
        </Button>
      </div>
      {edited !== undefined && <EnvironmentDialog existing={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
