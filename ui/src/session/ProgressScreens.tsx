/** Screens that pass by themselves: reading the keyring, checking the browser's answer. */

import { Button } from "../components/Button";
import { useElapsed } from "../components/useElapsed";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { EnvironmentView } from "../ipc/bindings";
import { SignInLayout } from "./SignInLayout";
import { useSignIn } from "./useSignIn";

/** A quick start shows no message that would only flash by. */
const INDICATOR_DELAY_MS = 400;
/** After this a person may have to do something. */
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
      onCancel={signIn.cancel}
    />
  );
}

function ProgressScreen({ line, hint, onCancel }: { line: string; hint?: string; onCancel?: () => void }) {
  const { t } = useLocalizer();
  const quiet = !useElapsed(INDICATOR_DELAY_MS);
  const slow = useElapsed(SLOW_HINT_MS);
  return (
    <SignInLayout>
      <div className={`flex items-center gap-2 ${quiet ? "invisible" : ""}`}>
        <span aria-hidden="true" className="pulse size-2 rounded-full bg-accent" />
        <p role="status" className="flex-1">
          {line}
        </p>
        {onCancel && (
          <Button tone="quiet" onPress={onCancel}>
            {t("cancel")}
          </Button>
        )}
      </div>
      {hint && slow && (
        <p role="status" className="text-ink-2 text-xs">
          {hint}
        </p>
      )}
    </SignInLayout>
  );
}
