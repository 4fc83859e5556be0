/** What waits to be tried again, where it was asked for: why, when, and how to hurry it or give it up. */

import { useState } from "react";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { useCountdown } from "../components/useCountdown";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Wait } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import type { RetryName } from "../ipc/commandNames";
import { useWorkspace } from "../state/workspace";
import { ErrorDetails } from "./ErrorDetails";
import { Notice, type NoticeVariant } from "./ErrorNotice";
import { detailsText } from "./supportDetails";
import { describeError } from "./table";
import { useErrorContext } from "./useErrorContext";

/** The wait of one of these commands in the window's organization, the oldest first. */
export function usePendingRetry(names: readonly RetryName[]): Wait | undefined {
  const { waits, organization } = useWorkspace();
  return waits.find((wait) => names.some((name) => name === wait.command) && wait.organization === organization.id);
}

/** The same, held while the call is still going on: during a try there is no wait, and the words must not flicker. */
export function useStablePendingRetry(names: readonly RetryName[], pending: boolean): Wait | undefined {
  const wait = usePendingRetry(names);
  const [last, setLast] = useState<Wait | undefined>(undefined);
  if (wait && wait !== last) setLast(wait);
  if (!pending && last) setLast(undefined);
  return wait ?? (pending ? last : undefined);
}

export function RetryNotice({ wait, variant, onSwitch }: { wait: Wait; variant: NoticeVariant; onSwitch?: () => void }) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const { text, actions } = describeError(wait.error, useErrorContext(wait.error), localizer);
  const seconds = useCountdown(wait.until);
  return (
    <Notice
      severity="warning"
      variant={variant}
      text={text}
      buttons={
        <>
          <Button size="sm" tone="primary" onPress={() => void call(commands.tryNow(wait.id)).catch(ignoreFinished)}>
            {t("act-tryNow")}
          </Button>
          {onSwitch && actions.includes("switch") && (
            <Button size="sm" onPress={onSwitch}>
              {t("act-switch")}
            </Button>
          )}
          {!onSwitch && (
            <Button size="sm" onPress={() => void call(commands.stopWaiting(wait.id)).catch(ignoreFinished)}>
              {t("act-stop")}
            </Button>
          )}
          {variant !== "inline" && actions.includes("copySupport") && (
            <CopyButton size="sm" label={t("act-copySupport")} text={() => detailsText(wait.error)} />
          )}
        </>
      }
      details={variant !== "inline" && <ErrorDetails error={wait.error} />}
    >
      <span className="figures">{seconds > 0 ? t("trying-again", { time: format.countdown(seconds) }) : t("trying-now")}</span>
    </Notice>
  );
}

/** The wait may have ended by itself in the meantime, which is what was wanted. */
function ignoreFinished(): void {}
