/** Choice of the environment, and the button that starts the sign-in in the browser. */

import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, LifeBuoy, Pencil, Plus } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { AccountList } from "../accounts/AccountList";
import { RememberMe } from "../accounts/RememberMe";
import { Button, IconButton } from "../components/Button";
import { lazyComponent, lazyDialog } from "../components/lazyComponent";
import { useElapsed } from "../components/useElapsed";
import { EnvironmentBadge } from "../environments/EnvironmentBadge";
import { environmentsQuery } from "../environments/environmentsQuery";
import { ErrorNotice } from "../errors/ErrorNotice";
import { environmentHost, environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, EnvironmentConfig, EnvironmentView } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { INDICATOR_DELAY_MS } from "./ProgressScreens";
import { SignInLayout } from "./SignInLayout";
import { useSignIn } from "./useSignIn";

const ClockHelpDialog = lazyDialog(async () => (await import("./ClockHelpDialog")).ClockHelpDialog);
const EnvironmentDialog = lazyComponent(async () => (await import("../environments/EnvironmentDialog")).EnvironmentDialog);
const SupportDialog = lazyDialog(async () => (await import("../support/SupportDialog")).SupportDialog);

export function SignInScreen({
  lastEnvironment,
  sessionError,
}: {
  lastEnvironment: string | null;
  sessionError: CommandError | null;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const environments = useQuery(environmentsQuery);
  const signIn = useSignIn();
  const [chosen, setChosen] = useState(lastEnvironment);
  const [remember, setRemember] = useState(true);
  const [help, setHelp] = useState(false);
  const [clockHelp, setClockHelp] = useState(false);
  /** Configuration in the dialog: `null` for a new one, `undefined` while the dialog is closed. */
  const [editedConfig, setEditedConfig] = useState<EnvironmentConfig | null | undefined>(undefined);
  const choices = useRef<HTMLDivElement>(null);
  const list = environments.data ?? [];
  const isChosen = (environment: EnvironmentView) => environment.name === chosen;
  // Real books come before practice, until somebody chooses.
  const selected = list.find(isChosen) ?? list.find((environment) => environment.config !== null) ?? list[0];
  const name = selected?.name;
  const error = signIn.error ?? sessionError ?? (environments.error ? commandError(environments.error) : null);
  const preparing = useElapsed(INDICATOR_DELAY_MS, signIn.busy);
  const start = () => {
    if (name !== undefined) signIn.start(name, remember);
  };
  // They are read within milliseconds. Without them everything below would jump.
  if (environments.isPending) return null;
  return (
    <SignInLayout>
      <h1 className="font-semibold text-lg">{t("sign-in-title")}</h1>
      {error && (
        <ErrorNotice
          error={error}
          variant="card"
          handlers={{
            startAgain: start,
            howToSetClock: () => setClockHelp(true),
            chooseEnvironment: () => choices.current?.querySelector<HTMLElement>("input:checked, input")?.focus(),
            tryNow: () => void environments.refetch(),
            unlock: signIn.unlock,
            tryAgain: signIn.unlock,
          }}
        />
      )}
      <AccountList signedOut />
      <RadioGroup
        ref={choices}
        aria-label={t("environment")}
        value={name ?? null}
        onChange={setChosen}
        className="flex flex-col gap-2"
      >
        {list.map((environment) => (
          <EnvironmentCard
            key={environment.name}
            environment={environment}
            open={environment.name === name}
            onChange={() => setEditedConfig(environment.config)}
          />
        ))}
      </RadioGroup>
      <div className="-mt-2">
        <Button
          data-add-environment=""
          variant="quiet"
          size="sm"
          onPress={() => setEditedConfig(null)}
          icon={<Plus size={14} aria-hidden="true" />}
        >
          {t("environment-add")}
        </Button>
      </div>
      <div className="flex flex-col gap-2">
        <RememberMe value={remember} onChange={setRemember} />
        <Button
          variant="primary"
          isDisabled={name === undefined}
          isBusy={signIn.busy}
          onPress={start}
          icon={<ArrowUpRight size={16} aria-hidden="true" className="mirror-in-rtl" />}
          autoFocus
        >
          {t("continue-in-browser")}
        </Button>
        {preparing && selected ? (
          <p role="status" className="flex items-center gap-2 text-fg-2 text-xs">
            <span aria-hidden="true" className="pulse size-2 shrink-0 rounded-full bg-accent" />
            {selected.kind === "local"
              ? t("preparing-local")
              : t("preparing", { environment: environmentName(selected, localizer) })}
          </p>
        ) : (
          <p className="text-fg-2 text-xs">{t("sign-in-why-browser")}</p>
        )}
      </div>
      {selected && (
        <>
          <div className="-mt-2">
            <Button variant="quiet" size="sm" onPress={() => setHelp(true)} icon={<LifeBuoy size={14} aria-hidden="true" />}>
              {t("help-connection")}
            </Button>
          </div>
          <SupportDialog environment={selected} isOpen={help} onClose={() => setHelp(false)} />
        </>
      )}
      <ClockHelpDialog isOpen={clockHelp} onClose={() => setClockHelp(false)} />
      {editedConfig !== undefined && (
        <Suspense>
          <EnvironmentDialog
            existing={editedConfig}
            refusal={error?.kind === "wrongEnvironmentPair" ? error : null}
            onClose={(saved) => {
              setEditedConfig(undefined);
              if (saved !== undefined) setChosen(saved);
            }}
          />
        </Suspense>
      )}
    </SignInLayout>
  );
}

function EnvironmentCard({ environment, open, onChange }: { environment: EnvironmentView; open: boolean; onChange: () => void }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const host = environmentHost(environment);
  return (
    <div className={`flex items-start rounded-md border bg-surface ${open ? "border-accent" : "border-line-strong"}`}>
      <Radio value={environment.name} className="flex min-w-0 flex-1 items-start gap-3 rounded-md p-3">
        {({ isSelected }) => (
          <>
            <span
              aria-hidden="true"
              className={`mt-0.5 inline-flex size-4 shrink-0 items-center justify-center rounded-full border ${isSelected ? "border-accent" : "border-control"}`}
            >
              {isSelected && <span className="size-2 rounded-full bg-accent" />}
            </span>
            <span className="min-w-0 flex-1">
              <span className="flex items-center gap-2">
                <span className="font-semibold">{environmentName(environment, localizer)}</span>
                {environmentName(environment, localizer) !== t(`environment-${environment.kind}`) && (
                  <EnvironmentBadge environment={environment} />
                )}
              </span>
              <span className="block text-fg-2 text-xs">{t(`environment-${environment.kind}-hint`)}</span>
              {host !== "" && environment.kind !== "local" && (
                <bdi dir="ltr" className="block text-fg-3 text-xs">
                  {host}
                </bdi>
              )}
            </span>
          </>
        )}
      </Radio>
      {environment.config && (
        <span className="p-2">
          <IconButton
            label={t("environment-change", { name: environment.name })}
            icon={<Pencil size={14} aria-hidden="true" />}
            onPress={onChange}
          />
        </span>
      )}
    </div>
  );
}
