/** What concerns the whole window: a session that has ended, a long time without connection, a keyring that does not keep. */

import { useWorkplace } from "../app/workplace";
import { ErrorNotice, Notice } from "../errors/ErrorNotice";
import { Button } from "../parts/Button";
import { useLonger } from "../parts/useLonger";
import { useSignIn } from "../session/useSignIn";
import { useWords } from "../words/WordsProvider";
import { VaultDialog } from "./VaultDialog";

/** A short interruption is for the status bar; after this a bar says what it means. */
const OFFLINE_BAR_MS = 10_000;

export function SessionBars() {
  const { t, format } = useWords();
  const { session } = useWorkplace();
  const signIn = useSignIn();
  const { standing, environment } = session;
  const trouble = signIn.error ?? session.trouble;
  const longOffline = useLonger(OFFLINE_BAR_MS, standing.state === "offline");
  return (
    <div className="shrink-0">
      {standing.state === "ended" && (
        <Notice
          severity="warning"
          shape="bar"
          text={t("error-session-ended", {
            environment: environment.kind === "local" ? t("environment-local") : environment.name,
          })}
          buttons={
            <Button size="sm" tone="primary" isDisabled={signIn.busy} onPress={() => signIn.start(environment.name)}>
              {t("act-signIn")}
            </Button>
          }
        />
      )}
      {standing.state === "offline" && longOffline && (
        <Notice
          severity="warning"
          shape="bar"
          text={standing.since === "" ? t("error-offline") : t("offline-bar", { time: format.moment(standing.since) })}
        />
      )}
      {trouble && <ErrorNotice error={trouble} shape="bar" handlers={{ startAgain: () => signIn.start(environment.name) }} />}
      <VaultDialog trouble={session.vault} onUnlock={signIn.unlock} />
    </div>
  );
}
