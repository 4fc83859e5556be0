/** Above every screen of a window in which the user acts as another person: who acts as whom, since when, and the way back. */

import { UserRoundCog } from "lucide-react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { useShortcut } from "../components/shortcuts";
import { useUnmount } from "../components/useLatest";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Account, ImpersonationView } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

export function ImpersonationBanner({ actor, impersonation }: { actor: Account; impersonation: ImpersonationView }) {
  const { t, format } = useLocalizer();
  const { person, since, ends } = impersonation;
  const [busy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    // Nothing is asked of the service before the window is the user's again.
    await call(commands.endImpersonation()).catch((thrown: unknown) => showWindowError(commandError(thrown)));
    setBusy(false);
  };
  useShortcut("endImpersonation", () => void end(), !busy, { overDialogs: true });
  const text = t("impersonation-banner", { actor: actor.name, person: person.name, time: format.time(since) });
  useEffect(() => {
    announce(text);
    // Announced once, when the banner comes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  useUnmount(() => announce(t("impersonation-ended", { actor: actor.name })));
  // It covers a part of the screen: in a low window the button stands beside the text.
  const row =
    "flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 short:min-h-0 short:gap-x-2 short:px-2 short:py-0.5 short:text-xs";
  const content = (
    <>
      <UserRoundCog size={18} aria-hidden="true" className="shrink-0" />
      <p className="min-w-0 flex-[1_1_15rem] short:basis-0">
        <strong>{text}</strong> <span>{t("impersonation-until", { time: format.time(ends) })}</span>
      </p>
      <Button size="sm" shortcut="endImpersonation" isBusy={busy} onPress={() => void end()}>
        {t("impersonation-end")}
      </Button>
    </>
  );
  return (
    <>
      {/* Keeps the place of the banner, which is outside of the window's content. */}
      <div aria-hidden="true" inert className={`invisible shrink-0 ${row}`}>
        {content}
      </div>
      {createPortal(
        <section
          data-region=""
          aria-label={t("impersonation")}
          // Dialogs leave such an element visible and usable.
          data-react-aria-top-layer="true"
          className={`impersonation-banner fixed inset-x-0 top-0 z-50 bg-danger text-danger-fg ${row}`}
        >
          {content}
        </section>,
        document.body,
      )}
    </>
  );
}
