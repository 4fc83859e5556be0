/** What concerns the whole window: a session that has ended, a long time without connection, a keyring that does not keep. */

import { Button } from "../components/Button";
import { useElapsed } from "../components/useElapsed";
import { ErrorNotice, Notice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useSignIn } from "../session/useSignIn";
import { useWorkspace } from "../state/workspace";
import { VaultDialog } from "./VaultDialog";

/** A short interruption is for the status bar; after this a bar says what it means. */
const OFFLINE_BAR_MS = 10_000;

export function SessionBanners() {
  const { t, format } = useLocalizer();
  const { session } = useWorkspace();
  const signIn = useSignIn();
  const { standing, environment } = session;
  const trouble = signIn.error ?? session.trouble;
  const longOffline = useElapsed(OFFLINE_BAR_MS, standing.state === "offline");
  return (
    <div className="shrink-0">
      {standing.state === "ended" && (
        <Notice
          severity="warning"
          variant="banner"
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
          variant="banner"
          text={standing.since === "" ? t("error-offline") : t("offline-bar", { time: format.moment(standing.since) })}
        />
      )}
      {trouble && (
        <ErrorNotice error={trouble} variant="banner" handlers={{ startAgain: () => signIn.start(environment.name) }} />
      )}
      <VaultDialog trouble={session.vault} onUnlock={signIn.unlock} />
    </div>
  );
}
