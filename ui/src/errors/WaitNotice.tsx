/** What waits to be tried again, where it was asked for: why, when, and how to hurry it or give it up. */

import { useState } from "react";
import { useWorkplace } from "../app/workplace";
import type { Wait } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { useCountdown } from "../parts/useCountdown";
import { useWords } from "../words/WordsProvider";
import { detailsText } from "./details";
import { useErrorContext } from "./ErrorContext";
import { ErrorDetails } from "./ErrorDetails";
import { Notice, type NoticeShape } from "./ErrorNotice";
import { describe } from "./table";

/** The wait of one of these commands in the window's organization, the oldest first. */
export function useWait(names: readonly string[]): Wait | undefined {
  const { waits, organization } = useWorkplace();
  return waits.find((wait) => names.includes(wait.command) && wait.organization === organization.id);
}

/** The same, held while the call is still going on: during a try there is no wait, and the words must not flicker. */
export function useLastingWait(names: readonly string[], pending: boolean): Wait | undefined {
  const wait = useWait(names);
  const [last, setLast] = useState<Wait | undefined>(undefined);
  if (wait && wait !== last) setLast(wait);
  if (!pending && last) setLast(undefined);
  return wait ?? (pending ? last : undefined);
}

export function WaitNotice({ wait, shape, onSwitch }: { wait: Wait; shape: NoticeShape; onSwitch?: () => void }) {
  const words = useWords();
  const { t, format } = words;
  const { text, actions } = describe(wait.error, useErrorContext(wait.error), words);
  const seconds = useCountdown(wait.until);
  return (
    <Notice
      severity="warning"
      shape={shape}
      text={text}
      buttons={
        <>
          <Button size="sm" tone="primary" onPress={() => void call(commands.tryNow(wait.id)).catch(ignoreGone)}>
            {t("act-tryNow")}
          </Button>
          {onSwitch && actions.includes("switch") && (
            <Button size="sm" onPress={onSwitch}>
              {t("act-switch")}
            </Button>
          )}
          {!onSwitch && (
            <Button size="sm" onPress={() => void call(commands.stopWaiting(wait.id)).catch(ignoreGone)}>
              {t("act-stop")}
            </Button>
          )}
          {shape !== "line" && actions.includes("copySupport") && (
            <CopyButton size="sm" label={t("act-copySupport")} text={() => detailsText(wait.error)} />
          )}
        </>
      }
      details={shape !== "line" && <ErrorDetails error={wait.error} />}
    >
      <span className="figures">{seconds > 0 ? t("trying-again", { time: format.countdown(seconds) }) : t("trying-now")}</span>
    </Notice>
  );
}

/** The wait may have ended by itself in the meantime, which is what was wanted. */
function ignoreGone(): void {}
