/** Progress screens: reading the keyring, verifying the answer of the browser. */

import { useRef } from "react";
import { Button } from "../components/Button";
import { useElapsed } from "../components/useElapsed";
import { useTakeFocus } from "../components/useTakeFocus";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { EnvironmentView } from "../ipc/bindings";
import { SignInLayout } from "./SignInLayout";
import { useSignIn } from "./useSignIn";

/** Delay before the progress is shown, so that a quick start shows none. */
export const INDICATOR_DELAY_MS = 400;
/** Delay before a hint says that the user may have to act. */
const SLOW_HINT_MS = 4000;

export function StartingScreen() {
  const { t } = useLocalizer();
  return <ProgressScreen line={t("starting")} hint={t("starting-slow")} />;
}

export function FinishingScreen({ environment }: { environment: EnvironmentView }) {
  const localizer = useLocalizer();
  const signIn = useSignIn();
  return (
    <ProgressScreen
      line={localizer.t("finishing", { environment: environmentName(environment, localizer) })}
      // The command refuses once the session is being stored: then there is nothing left to cancel.
      onCancel={signIn.error ? undefined : signIn.cancel}
    />
  );
}

function ProgressScreen({ line, hint, onCancel }: { line: string; hint?: string; onCancel?: () => void }) {
  const { t } = useLocalizer();
  const quiet = !useElapsed(INDICATOR_DELAY_MS);
  const slow = useElapsed(SLOW_HINT_MS);
  const section = useRef<HTMLElement>(null);
  const canCancel = onCancel !== undefined;
  // Not the button: the Enter that ended the screen before would cancel. It can go while it has the focus.
  useTakeFocus(canCancel, () => section.current);
  useTakeFocus(!canCancel, () => section.current);
  return (
    <SignInLayout>
      <section ref={section} tabIndex={-1} aria-label={line} className="flex flex-col gap-6 focus-visible:outline-none">
        <div className={`flex items-center gap-2 ${quiet ? "invisible" : ""}`}>
          <span aria-hidden="true" className="pulse size-2 rounded-full bg-accent" />
          <p role="status" className="flex-1">
            {line}
          </p>
          {onCancel && (
            <Button variant="quiet" onPress={onCancel}>
              {t("cancel")}
            </Button>
          )}
        </div>
        {hint && slow && (
          <p role="status" className="text-fg-2 text-xs">
            {hint}
          </p>
        )}
      </section>
    </SignInLayout>
  );
}
