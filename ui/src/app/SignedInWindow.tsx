/** The signed-in window. It renders the shell once the core has bound the window to an organization. */

import { useQueryClient } from "@tanstack/react-query";
import { Activity, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { lazyComponent } from "../components/lazyComponent";
import { hideStatus } from "../components/statusMessage";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { ImpersonationQueries } from "../impersonation/ImpersonationQueries";
import type { PendingRetry, WindowBinding } from "../ipc/bindings";
import { nameInLanguage } from "../organizations/nameInLanguage";
import { useOrganizationNames } from "../organizations/useOrganizationNames";
import { StartingScreen } from "../session/ProgressScreens";
import { removeAccountQueries, removeOrganizationQueries } from "../state/queryClient";
import { useKeptQueries } from "../state/useKeptQueries";
import { type SignedInSession, WorkspaceContext } from "../state/workspace";
import { useReadAgainOnReturn } from "../windows/useReadAgainOnReturn";
import { useWindowTitle } from "../windows/useWindowTitle";
import { useFocusOnReturn } from "./useFocusOnReturn";

const ImpersonationBanner = lazyComponent(async () => (await import("../impersonation/ImpersonationBanner")).ImpersonationBanner);
export const AppShell = lazyComponent(async () => (await import("../shell/AppShell")).AppShell);
const NoOrganization = lazyComponent(async () => (await import("./NoOrganization")).NoOrganization);

/** Hides what was said of the work of an account. */
function forgetMessages(): void {
  hideStatus();
  showWindowError(null);
}

export function SignedInWindow({
  session: received,
  binding,
  retries,
  isShown,
}: {
  session: SignedInSession;
  binding: WindowBinding | null;
  retries: readonly PendingRetry[];
  /** While the account signs in again, the window is hidden: it shows, reads and hears nothing, and keeps what was typed in it. */
  isShown: boolean;
}) {
  const client = useQueryClient();
  const localizer = useLocalizer();
  const session = useMemo(
    () => ({ ...received, organizations: received.organizations.map((each) => nameInLanguage(each, localizer)) }),
    [received, localizer],
  );
  const { organizations } = session;
  const organization = organizations.find(({ id }) => id === binding?.organization);

  useOrganizationNames(session, isShown ? organization?.id : undefined);
  useWindowTitle(isShown ? organization : undefined, session.environment);
  useKeptQueries(isShown);
  useFocusOnReturn(isShown);

  // The shell of one account is gone, and what it has read, before that of the next is there.
  const account = `${session.environment.name} ${session.account.subject}`;
  const [shown, setShown] = useState(account);
  useEffect(() => setShown(account), [account]);
  useEffect(() => {
    // What ended after the account had left is told to nobody.
    forgetMessages();
    return () => {
      removeAccountQueries(client);
      forgetMessages();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, account]);

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

  useReadAgainOnReturn(isShown, organization?.id);

  const content = (children: ReactNode) => <Activity mode={isShown ? "visible" : "hidden"}>{children}</Activity>;
  if (organizations.length === 0) {
    return content(
      <Suspense>
        <NoOrganization />
      </Suspense>,
    );
  }
  if (!workspace || shown !== account) return content(<StartingScreen />);
  const shell = (
    <WorkspaceContext value={workspace}>
      {/* The key remounts the shell on a switch, so that no component state crosses organizations or people. */}
      <Suspense>
        <AppShell key={`${workspace.binding.organization} ${person ?? ""}`} />
      </Suspense>
    </WorkspaceContext>
  );
  if (!impersonation) return content(shell);
  return (
    <ImpersonationQueries key={person} isShown={isShown} organization={organization?.id}>
      {content(
        <div className="flex h-full flex-col">
          <Suspense>
            <ImpersonationBanner actor={session.account} impersonation={impersonation} />
          </Suspense>
          <div className="min-h-0 flex-1">{shell}</div>
        </div>,
      )}
    </ImpersonationQueries>
  );
}
