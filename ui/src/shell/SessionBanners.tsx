/** Banners that concern the whole window: session ended, offline, errors of the session, keyring. */

import { Suspense, useState } from "react";
import { Button } from "../components/Button";
import { lazyComponent } from "../components/lazyComponent";
import { useElapsed } from "../components/useElapsed";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { RetryNotice } from "../errors/RetryNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PendingRetry } from "../ipc/bindings";
import { useWindowSignIn } from "../session/windowSignIn";
import { useWorkspace } from "../state/workspace";

const VaultDialog = lazyComponent(async () => (await import("./VaultDialog")).VaultDialog);

/** How long the connection must be down before a banner says so. Until then only the status bar does. */
const OFFLINE_BAR_MS = 10_000;

export function SessionBanners({ outage }: { outage: PendingRetry | undefined }) {
  const signIn = useWindowSignIn();
  const { t, format } = useLocalizer();
  const { session } = useWorkspace();
  const { connectivity, environment } = session;
  const error = signIn.error ?? session.error;
  const [acknowledgedEnd, setAcknowledgedEnd] = useState<string | null>(null);
  const longOffline = useElapsed(OFFLINE_BAR_MS, connectivity.state === "offline");
  return (
    <div className="shrink-0">
      {connectivity.state === "ended" && (
        <Notice
          severity="warning"
          variant="banner"
          text={t("error-session-ended", {
            environment: environment.kind === "local" ? t("environment-local") : environment.name,
          })}
          buttons={
            <Button size="sm" variant="primary" isBusy={signIn.busy} onPress={() => signIn.start(environment.name)}>
              {t("act-signIn")}
            </Button>
          }
        />
      )}
      {connectivity.state === "offline" && longOffline && (
        <Notice
          severity="warning"
          variant="banner"
          text={
            connectivity.since === ""
              ? t("error-offline")
              : t("error-offline-since", { time: format.dateTime(connectivity.since) })
          }
          buttons={
            <Button size="sm" isBusy={signIn.busy} onPress={signIn.reconnect}>
              {t("act-tryNow")}
            </Button>
          }
        />
      )}
      {outage && <RetryNotice retry={outage} variant="banner" />}
      {session.ends !== null && session.ends !== acknowledgedEnd && (
        <Notice
          severity="info"
          variant="banner"
          text={t("session-ends", { time: format.dateTime(session.ends) })}
          buttons={
            <>
              <Button size="sm" onPress={() => setAcknowledgedEnd(session.ends)}>
                {t("act-continueSession")}
              </Button>
              <Button size="sm" variant="primary" isBusy={signIn.busy} onPress={() => signIn.start(environment.name)}>
                {t("act-signIn")}
              </Button>
            </>
          }
        />
      )}
      {error && <ErrorNotice error={error} variant="banner" handlers={{ tryNow: signIn.reconnect }} />}
      {session.vault && (
        <Suspense>
          <VaultDialog problem={session.vault} onUnlock={signIn.unlock} />
        </Suspense>
      )}
    </div>
  );
}
