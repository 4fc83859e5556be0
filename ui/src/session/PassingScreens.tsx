/** Screens that pass by themselves: reading the keyring, checking the browser's answer. */

import { environmentName } from "../environments/environment";
import type { EnvironmentView } from "../ipc/bindings";
import { Button } from "../parts/Button";
import { useLonger } from "../parts/useLonger";
import { useWords } from "../words/WordsProvider";
import { useSignIn } from "./useSignIn";
import { Welcome } from "./Welcome";

/** A quick start shows no message that would only flash by. */
const QUIET_MS = 400;
/** After this a person may have to do something. */
const SLOW_MS = 4000;

export function StartingScreen() {
  const { t } = useWords();
  return <Passing line={t("starting")} hint={t("starting-slow")} />;
}

export function FinishingScreen({ environment }: { environment: EnvironmentView }) {
  const words = useWords();
  const signIn = useSignIn();
  return <Passing line={words.t("finishing", { environment: environmentName(environment, words) })} onCancel={signIn.cancel} />;
}

function Passing({ line, hint, onCancel }: { line: string; hint?: string; onCancel?: () => void }) {
  const { t } = useWords();
  const quiet = !useLonger(QUIET_MS);
  const slow = useLonger(SLOW_MS);
  return (
    <Welcome>
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
    </Welcome>
  );
}
