/** A pending retry: its cause, a countdown, and actions to retry now or to cancel. */

import { use } from "react";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { useCountdown } from "../components/useCountdown";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PendingRetry } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { WindowErrorHandlers } from "./actions";
import { ErrorDetails } from "./ErrorDetails";
import { Notice, type NoticeVariant } from "./Notice";
import { detailsText } from "./supportDetails";
import { describeError } from "./table";
import { useErrorContext } from "./useErrorContext";

export function RetryNotice({
  retry,
  variant,
  canStop = true,
}: {
  retry: PendingRetry;
  variant: NoticeVariant;
  /** Whether it can be stopped: a screen that shows nothing else has no other state to return to. */
  canStop?: boolean;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { switch: onSwitch, showQueue } = use(WindowErrorHandlers);
  const seconds = useCountdown(retry.until);
  const { text, actions } = describeError(retry.error, { ...useErrorContext(retry.error), seconds }, localizer);
  const saysWhen = retry.error.kind === "rateLimited" && retry.write;
  return (
    <Notice
      severity="warning"
      variant={variant}
      text={text}
      // The seconds that the text of some errors counts are not announced.
      about={`${retry.id} ${retry.error.kind}`}
      buttons={
        <>
          <Button size="sm" variant="primary" onPress={() => void call(commands.retryNow(retry.id)).catch(ignoreFinished)}>
            {t("act-tryNow")}
          </Button>
          {onSwitch && variant === "page" && actions.includes("switch") && (
            <Button size="sm" onPress={onSwitch}>
              {t("act-switch")}
            </Button>
          )}
          {/* An inline notice is in the queue or beside it. */}
          {showQueue && variant !== "inline" && actions.includes("showQueue") && (
            <Button size="sm" onPress={showQueue}>
              {t("act-showQueue")}
            </Button>
          )}
          {canStop && (
            <Button size="sm" onPress={() => void call(commands.cancelRetry(retry.id)).catch(ignoreFinished)}>
              {t(retry.error.kind === "rateLimited" ? "act-cancel" : "act-stop")}
            </Button>
          )}
          {variant !== "inline" && actions.includes("copySupport") && (
            <CopyButton size="sm" label={t("act-copySupport")} text={() => detailsText(retry.error)} />
          )}
        </>
      }
      details={variant !== "inline" && <ErrorDetails error={retry.error} />}
    >
      {/* A timer is not read out by itself. */}
      {!saysWhen && (
        <span role="timer" className="numeric">
          {seconds > 0 ? t("trying-again", { seconds }) : t("trying-now")}
        </span>
      )}
    </Notice>
  );
}

/** The retry may have ended in the meantime, and the command then fails. The result is the wanted one. */
function ignoreFinished(): void {}
