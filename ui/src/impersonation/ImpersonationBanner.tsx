/** Above every screen of a window in which the user acts as another person: who acts as whom, since when, and the way back. */

import { UserRoundCog } from "lucide-react";
import { useEffect, useState } from "react";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { useShortcut } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Account, ImpersonationView } from "../ipc/bindings";
import { call, commands } from "../ipc/call";

export function ImpersonationBanner({ actor, impersonation }: { actor: Account; impersonation: ImpersonationView }) {
  const { t, format } = useLocalizer();
  const { person, since, ends } = impersonation;
  const [busy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    // Nothing is asked of the service before the window is the user's again.
    await call(commands.endImpersonation()).catch(() => undefined);
    setBusy(false);
  };
  useShortcut("endImpersonation", () => void end());
  const text = t("impersonation-banner", { actor: actor.name, person: person.name, time: format.time(since) });
  useEffect(() => {
    announce(text);
    return () => announce(t("impersonation-ended", { actor: actor.name }));
    // Announced once, when the banner comes and goes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <section
      aria-label={t("impersonation")}
      // Above the dialogs, so that none covers it.
      className="impersonation-banner relative z-50 flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 bg-danger px-4 py-1.5 text-danger-fg"
    >
      <UserRoundCog size={18} aria-hidden="true" className="shrink-0" />
      <p className="min-w-60 flex-1">
        <strong>{text}</strong> <span>{t("impersonation-until", { time: format.time(ends) })}</span>
      </p>
      <Button size="sm" shortcut="endImpersonation" isDisabled={busy} onPress={() => void end()}>
        {t("impersonation-end")}
      </Button>
    </section>
  );
}
