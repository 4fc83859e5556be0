/** The signed-in window. It renders the shell once the core has bound the window to an organization. */

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useRef } from "react";
import { Button } from "../components/Button";
import { lazyComponent } from "../components/lazyComponent";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PendingRetry, WindowBinding } from "../ipc/bindings";
import { StartingScreen } from "../session/ProgressScreens";
import { SignInLayout } from "../session/SignInLayout";
import { useSignIn } from "../session/useSignIn";
import { removeOrganizationQueries } from "../state/queryClient";
import { type SignedInSession, WorkspaceContext } from "../state/workspace";
import { useWindowTitle } from "../windows/useWindowTitle";

const AppShell = lazyComponent(async () => (await import("../shell/AppShell")).AppShell);

export function SignedInWindow({
  session,
  binding,
  retries,
}: {
  session: SignedInSession;
  binding: WindowBinding | null;
  retries: readonly PendingRetry[];
}) {
  const client = useQueryClient();
  const { organizations } = session;
  const organization = organizations.find(({ id }) => id === binding?.organization);

  useWindowTitle(organization, session.environment);

  const left = useRef<string | null>(null);
  useEffect(() => {
    if (left.current !== null && left.current !== organization?.id) removeOrganizationQueries(client, left.current);
    left.current = organization?.id ?? null;
  }, [client, organization?.id]);

  const workspace = useMemo(
    () => (binding && organization ? { session, binding, organization, retries } : null),
    [session, binding, organization, retries],
  );
  if (organizations.length === 0) return <NoOrganization />;
  if (!workspace) return <StartingScreen />;
  return (
    <WorkspaceContext value={workspace}>
      {/* The key remounts the shell on a switch, so that no component state crosses organizations. */}
      <Suspense>
        <AppShell key={workspace.binding.organization} />
      </Suspense>
    </WorkspaceContext>
  );
}

function NoOrganization() {
  const { t } = useLocalizer();
  const signIn = useSignIn();
  return (
    <SignInLayout>
      <p className="text-md">{t("no-organizations")}</p>
      <SignInAgain onRefresh={signIn.refreshOrganizations} onSignOut={signIn.signOut} />
    </SignInLayout>
  );
}

function SignInAgain({ onRefresh, onSignOut }: { onRefresh: () => void; onSignOut: () => void }) {
  const { t } = useLocalizer();
  return (
    <div className="flex gap-2">
      <Button variant="primary" onPress={onRefresh}>
        {t("act-refreshOrganizations")}
      </Button>
      <Button onPress={onSignOut}>{t("sign-out")}</Button>
    </div>
  );
}
