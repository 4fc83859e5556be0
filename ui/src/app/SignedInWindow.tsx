/** The signed-in window. It renders the shell once the core has bound the window to an organization. */

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { lazyComponent } from "../components/lazyComponent";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { ImpersonationQueries } from "../impersonation/ImpersonationQueries";
import type { PendingRetry, WindowBinding } from "../ipc/bindings";
import { nameInLanguage } from "../organizations/nameInLanguage";
import { useOrganizationNames } from "../organizations/useOrganizationNames";
import { StartingScreen } from "../session/ProgressScreens";
import { removeAccountQueries, removeOrganizationQueries } from "../state/queryClient";
import { type SignedInSession, WorkspaceContext } from "../state/workspace";
import { useWindowTitle } from "../windows/useWindowTitle";

const ImpersonationBanner = lazyComponent(async () => (await import("../impersonation/ImpersonationBanner")).ImpersonationBanner);
export const AppShell = lazyComponent(async () => (await import("../shell/AppShell")).AppShell);
const NoOrganization = lazyComponent(async () => (await import("./NoOrganization")).NoOrganization);

export function SignedInWindow({
  session: received,
  binding,
  retries,
}: {
  session: SignedInSession;
  binding: WindowBinding | null;
  retries: readonly PendingRetry[];
}) {
  const client = useQueryClient();
  const localizer = useLocalizer();
  const session = useMemo(
    () => ({ ...received, organizations: received.organizations.map((each) => nameInLanguage(each, localizer)) }),
    [received, localizer],
  );
  const { organizations } = session;
  const organization = organizations.find(({ id }) => id === binding?.organization);

  useOrganizationNames(session, organization?.id);

  useWindowTitle(organization, session.environment);

  // The shell of one account is gone, and what it has read, before that of the next is there.
  const account = `${session.environment.name} ${session.account.subject}`;
  const [shown, setShown] = useState(account);
  useEffect(() => setShown(account), [account]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => () => removeAccountQueries(client), [client, account]);

  const left = useRef<string | null>(null);
  useEffect(() => {
    if (left.current !== null && left.current !== organization?.id) removeOrganizationQueries(client, left.current);
    left.current = organization?.id ?? null;
  }, [client, organization?.id]);

  const workspace = useMemo(
    () => (binding && organization ? { session, binding, organization, retries } : null),
    [session, binding, organization, retries],
  );
  const { impersonation } = session;
  // What the user reads after an impersonation may have been changed in it.
  const person = impersonation?.person.subject ?? null;
  const acted = useRef(person);
  useEffect(() => {
    if (acted.current !== null && person === null) void client.invalidateQueries();
    acted.current = person;
  }, [client, person]);

  if (organizations.length === 0) {
    return (
      <Suspense>
        <NoOrganization />
      </Suspense>
    );
  }
  if (!workspace || shown !== account) return <StartingScreen />;
  const shell = (
    <WorkspaceContext value={workspace}>
      {/* The key remounts the shell on a switch, so that no component state crosses organizations or people. */}
      <Suspense>
        <AppShell key={`${workspace.binding.organization} ${person ?? ""}`} />
      </Suspense>
    </WorkspaceContext>
  );
  if (!impersonation) return shell;
  return (
    <div className="flex h-full flex-col">
      <Suspense>
        <ImpersonationBanner actor={session.account} impersonation={impersonation} />
      </Suspense>
      <div className="min-h-0 flex-1">
        <ImpersonationQueries key={person}>{shell}</ImpersonationQueries>
      </div>
    </div>
  );
}
