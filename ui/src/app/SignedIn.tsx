/** The signed-in window: bound to an organization before anything of it is shown. */

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Frame } from "../frame/Frame";
import type { CommandError, Place, Wait } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { Button } from "../parts/Button";
import { StartingScreen } from "../session/PassingScreens";
import { useSignIn } from "../session/useSignIn";
import { Welcome } from "../session/Welcome";
import { useWords } from "../words/WordsProvider";
import { forgetOrganization } from "./queries";
import { type SignedInSession, WorkplaceContext } from "./workplace";

export function SignedIn({ session, place, waits }: { session: SignedInSession; place: Place | null; waits: readonly Wait[] }) {
  const client = useQueryClient();
  const { organizations } = session;
  const organization = organizations.find(({ id }) => id === place?.organization);
  const error = useHomeBinding(
    organization === undefined ? (organizations.find(({ home }) => home) ?? organizations[0]) : undefined,
  );

  const left = useRef<string | null>(null);
  useEffect(() => {
    if (left.current !== null && left.current !== organization?.id) forgetOrganization(client, left.current);
    left.current = organization?.id ?? null;
  }, [client, organization?.id]);

  const workplace = useMemo(
    () => (place && organization ? { session, place, organization, waits } : null),
    [session, place, organization, waits],
  );
  if (organizations.length === 0) return <NoOrganization />;
  if (error) return <CannotBind error={error} />;
  if (!workplace) return <StartingScreen />;
  return (
    <WorkplaceContext value={workplace}>
      {/* Nothing of one organization's screens survives into another's. */}
      <Frame key={workplace.place.organization} />
    </WorkplaceContext>
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
  const { t } = useWords();
  return (
    <CannotBind>
      <p className="text-md">{t("no-organizations")}</p>
    </CannotBind>
  );
}

function CannotBind({ error, children }: { error?: CommandError; children?: ReactNode }) {
  const signIn = useSignIn();
  return (
    <Welcome>
      {children}
      {error && <ErrorNotice error={error} shape="card" handlers={{ refreshOrganizations: signIn.refreshOrganizations }} />}
      <SignInAgain onRefresh={signIn.refreshOrganizations} onSignOut={signIn.signOut} />
    </Welcome>
  );
}

function SignInAgain({ onRefresh, onSignOut }: { onRefresh: () => void; onSignOut: () => void }) {
  const { t } = useWords();
  return (
    <div className="flex gap-2">
      <Button tone="primary" onPress={onRefresh}>
        {t("act-refreshOrganizations")}
      </Button>
      <Button onPress={onSignOut}>{t("sign-out")}</Button>
    </div>
  );
}
