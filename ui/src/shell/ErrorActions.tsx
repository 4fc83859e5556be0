/** The actions that help wherever an error is shown in the signed-in window. */

import { type ReactNode, useMemo, useState } from "react";
import { runCommand } from "../components/commands";
import { lazyDialog } from "../components/lazyComponent";
import { type ErrorHandlers, WindowErrorHandlers } from "../errors/actions";
import { useWindowSignIn } from "../session/windowSignIn";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";

const ClockHelpDialog = lazyDialog(async () => (await import("../session/ClockHelpDialog")).ClockHelpDialog);

export function ErrorActions({ children }: { children: ReactNode }) {
  const { session, retries } = useWorkspace();
  const { navigate } = useNavigation();
  const [clockHelp, setClockHelp] = useState(false);
  const { refreshOrganizations, start } = useWindowSignIn();
  const environment = session.environment.name;
  const canSwitch = session.organizations.length > 1;
  const hasQueue = retries.length > 0;
  const handlers = useMemo<ErrorHandlers>(
    () => ({
      refreshOrganizations,
      signIn: () => start(environment),
      startAgain: () => start(environment),
      openDrafts: () => navigate({ name: "drafts" }),
      chooseEnvironment: () => navigate({ name: "settings", section: "environments" }),
      howToSetClock: () => setClockHelp(true),
      ...(canSwitch && { switch: () => runCommand("switchOrganization") }),
      ...(hasQueue && { showQueue: () => runCommand("queue") }),
    }),
    [refreshOrganizations, start, environment, navigate, canSwitch, hasQueue],
  );
  return (
    <WindowErrorHandlers value={handlers}>
      {children}
      <ClockHelpDialog isOpen={clockHelp} onClose={() => setClockHelp(false)} />
    </WindowErrorHandlers>
  );
}
