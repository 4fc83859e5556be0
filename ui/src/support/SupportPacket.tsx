/** The report for support: made on request, read by the user, then copied or saved. */

import { useId, useState } from "react";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { call, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";

export function SupportPacket() {
  const { t } = useLocalizer();
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const [outcome, setOutcome] = useState("");
  const { run: runCommand, error } = useCommandCalls();
  const run = (command: () => Promise<void>) => {
    setOutcome("");
    return runCommand(command);
  };
  const tell = (done: string) => {
    setOutcome(done);
    announce(done);
  };
  const make = () =>
    run(async () => {
      setText(await call(commands.supportPacket()));
      tell(t("packet-made"));
    });
  const save = () => run(async () => tell(t((await call(commands.saveSupportPacket())) ? "packet-saved" : "packet-not-saved")));
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="font-semibold">
        {t("packet-title")}
      </h3>
      <p className="text-fg-2">{t("packet-hint")}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button onPress={() => void make()}>{t("packet-make")}</Button>
        {text !== null && (
          <>
            <CopyButton label={t("packet-copy")} text={text} />
            <Button onPress={() => void save()}>{t("packet-save")}</Button>
            <span className="text-fg-2">{outcome}</span>
          </>
        )}
      </div>
      {error && <ErrorNotice error={error} variant="card" />}
      {text !== null && (
        <textarea
          readOnly
          aria-label={t("packet-text")}
          dir="ltr"
          lang="en"
          rows={12}
          value={text}
          className="numeric w-full resize-y rounded-md border border-control bg-sunken p-2 text-2xs text-fg"
        />
      )}
    </section>
  );
}
