/** The signed-in window: bound to an organization before anything of it is shown. */

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../components/Button";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, Place, Wait } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { StartingScreen } from "../session/ProgressScreens";
import { SignInLayout } from "../session/SignInLayout";
import { useSignIn } from "../session/useSignIn";
import { AppShell } from "../shell/AppShell";
import { removeOrganizationQueries } from "../state/queryClient";
import { type SignedInSession, WorkspaceContext } from "../state/workspace";

export function SignedInWindow({
  session,
  place,
  waits,
}: {
  session: SignedInSession;
  place: Place | null;
  waits: readonly Wait[];
}) {
  const client = useQueryClient();
  const { organizations } = session;
  const organization = organizations.find(({ id }) => id === place?.organization);
  const error = useHomeBinding(
    organization === undefined ? (organizations.find(({ home }) => home) ?? organizations[0]) : undefined,
  );

  const left = useRef<string | null>(null);
  useEffect(() => {
    if (left.current !== null && left.current !== organization?.id) removeOrganizationQueries(client, left.current);
    left.current = organization?.id ?? null;
  }, [client, organization?.id]);

  const workspace = useMemo(
    () => (place && organization ? { session, place, organization, waits } : null),
    [session, place, organization, waits],
  );
  if (organizations.length === 0) return <NoOrganization />;
  if (error) return <BindingError error={error} />;
  if (!workspace) return <StartingScreen />;
  return (
    <WorkspaceContext value={workspace}>
      {/* Nothing of one organization's screens survives into another's. */}
      <AppShell key={workspace.place.organization} />
    </WorkspaceContext>
  );
}

/** Binds a window that is bound to nothing that is granted: to the home organization, or else the first. */
function useHomeBinding(wanted: { id: string } | undefined): CommandError | null {
  const [error, setError] = useState<CommandError | null>(null);
  const id = wanted?.id;
  useEffect(() => {
    if (id === undefined) return;
    setError(null);
    call(commands.switchOrganization(id)).catch((thrown: unknown) => setError(commandError(thrown)));
  }, [id]);
  return id === undefined ? null : error;
}

function NoOrganization() {
  const { t } = useLocalizer();
  return (
    <BindingError>
      <p className="text-md">{t("no-organizations")}</p>
    </BindingError>
  );
}

function BindingError({ error, children }: { error?: CommandError; children?: ReactNode }) {
  const signIn = useSignIn();
  return (
    <SignInLayout>
      {children}
      {error && <ErrorNotice error={error} variant="card" handlers={{ refreshOrganizations: signIn.refreshOrganizations }} />}
      <SignInAgain onRefresh={signIn.refreshOrganizations} onSignOut={signIn.signOut} />
    </SignInLayout>
  );
}

function SignInAgain({ onRefresh, onSignOut }: { onRefresh: () => void; onSignOut: () => void }) {
  const { t } = useLocalizer();
  return (
    <div className="flex gap-2">
      <Button tone="primary" onPress={onRefresh}>
        {t("act-refreshOrganizations")}
      </Button>
      <Button onPress={onSignOut}>{t("sign-out")}</Button>
    </div>
  );
}
