/** Screen while the sign-in continues in the browser. After 25 seconds it offers the alternatives. */

import { type FormEvent, useState } from "react";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { copyText } from "../components/clipboard";
import { TextField } from "../components/Field";
import { ErrorNotice } from "../errors/ErrorNotice";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { SessionView } from "../ipc/bindings";
import { DemoAccounts } from "./DemoAccounts";
import { SignInLayout } from "./SignInLayout";
import { useSignIn } from "./useSignIn";

type WaitingSession = Extract<SessionView, { state: "waiting" }>;

export function BrowserSignInScreen({ session }: { session: WaitingSession }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const signIn = useSignIn();
  const [pasting, setPasting] = useState(false);
  const error = signIn.error ?? session.error;
  const restart = () => signIn.start(session.environment.name);
  return (
    <SignInLayout>
      <h1 className="font-semibold text-lg">{t("waiting-title")}</h1>
      <section className="flex flex-col gap-3 rounded-md border border-line-strong bg-surface p-4">
        <p role="status" className="flex items-center gap-2">
          <span aria-hidden="true" className="pulse size-2 shrink-0 rounded-full bg-accent" />
          {session.slow ? t("waiting-slow") : t("waiting-line", { environment: environmentName(session.environment, localizer) })}
        </p>
        <p className="text-fg-2 text-xs">{t("waiting-hint")}</p>
        <div className="flex flex-wrap gap-2">
          <Button onPress={signIn.openAgain} autoFocus>
            {t("act-openAgain")}
          </Button>
          <CopyButton text={session.address} label={t("act-copyLink")} />
          <Button variant="quiet" onPress={signIn.cancel}>
            {t("cancel")}
          </Button>
        </div>
      </section>
      {session.environment.demoAccounts.length > 0 && <DemoAccounts accounts={session.environment.demoAccounts} />}
      {error && (
        <ErrorNotice
          error={error}
          variant="card"
          handlers={{
            startAgain: restart,
            openAgain: signIn.openAgain,
            copyLink: () => void copyText(session.address),
            paste: () => setPasting(true),
            chooseEnvironment: signIn.cancel,
          }}
        />
      )}
      {(session.slow || pasting) && (
        <section className="fade-in flex flex-col gap-3 rounded-md border border-line bg-surface p-4">
          <h2 className="font-semibold">{t("waiting-other-ways")}</h2>
          <PasteForm onPaste={signIn.paste} busy={signIn.busy} />
          {session.callbackMethod === "deepLink" && (
            <div className="flex flex-col items-start gap-1 border-line border-t pt-3">
              <Button onPress={signIn.loopback}>{t("act-loopback")}</Button>
              <p className="text-fg-2 text-xs">{t("loopback-hint")}</p>
            </div>
          )}
        </section>
      )}
    </SignInLayout>
  );
}

function PasteForm({ onPaste, busy }: { onPaste: (address: string) => void; busy: boolean }) {
  const { t } = useLocalizer();
  const [address, setAddress] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (address.trim() !== "" && !busy) onPaste(address.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <TextField label={t("paste-label")} hint={t("paste-hint")} value={address} onChange={setAddress} dir="ltr" />
      <div>
        <Button type="submit" isDisabled={address.trim() === ""} isBusy={busy}>
          {t("paste-use")}
        </Button>
      </div>
    </form>
  );
}
