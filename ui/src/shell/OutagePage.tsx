/** The page of the whole window while the service is down for every organization and there is no list to show. */

import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { useCountdown } from "../components/useCountdown";
import { ErrorDetails } from "../errors/ErrorDetails";
import { Notice } from "../errors/Notice";
import { detailsText } from "../errors/supportDetails";
import { describeError } from "../errors/table";
import { useErrorContext } from "../errors/useErrorContext";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";

export interface OutagePageProps {
  error: CommandError;
  /** When it is tried again by itself; `null`: not any more. */
  until: string | null;
  onTryNow: () => void;
  onDrafts: () => void;
}

export function OutagePage({ error, until, onTryNow, onDrafts }: OutagePageProps) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { severity, text } = describeError(error, useErrorContext(error), localizer);
  return (
    <Notice
      severity={severity}
      variant="page"
      text={text}
      buttons={
        <>
          <Button size="sm" variant="primary" onPress={onTryNow}>
            {t("act-tryNow")}
          </Button>
          <Button size="sm" onPress={onDrafts}>
            {t("outage-drafts")}
          </Button>
          <CopyButton size="sm" label={t("act-copySupport")} text={() => detailsText(error)} />
        </>
      }
      details={<ErrorDetails error={error} />}
    >
      <div className="flex flex-col gap-3 text-balance">
        <p>{t("outage-safe")}</p>
        <p>{t("outage-next")}</p>
        {until !== null && <NextAttempt until={until} />}
      </div>
    </Notice>
  );
}

function NextAttempt({ until }: { until: string }) {
  const { t } = useLocalizer();
  const seconds = useCountdown(until);
  // A timer is not read out by itself. Within a status it would talk over the person every second.
  return (
    <p role="timer" className="numeric">
      {seconds > 0 ? t("trying-again", { seconds }) : t("trying-now")}
    </p>
  );
}
