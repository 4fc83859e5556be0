/** An error of the administration: in its own words where those of documents do not fit. */

import type { ReactNode } from "react";
import { Button } from "../components/Button";
import { ErrorDetails } from "../errors/ErrorDetails";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice, type NoticeVariant } from "../errors/Notice";
import { useErrorContext } from "../errors/useErrorContext";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { messageOf, refusedFields } from "./refusals";

export interface AdministrationErrorProps {
  error: CommandError;
  variant?: NoticeVariant;
  onRetry?: () => void;
  /** Additional content. */
  children?: ReactNode;
}

export function AdministrationError({ error, variant = "card", onRetry, children }: AdministrationErrorProps) {
  const { t } = useLocalizer();
  const { organization } = useErrorContext(error);
  const message = messageOf(error);
  if (!message) {
    return (
      <ErrorNotice error={error} variant={variant} {...(onRetry ? { handlers: { tryNow: onRetry } } : {})}>
        {children}
      </ErrorNotice>
    );
  }
  const text = message === "administration-error-user-limit" ? t(message, { organization }) : t(message);
  const fields = error.kind === "invalidArgument" ? refusedFields(error.violations) : [];
  // Its words say to try again, which a list has no other button for.
  const retry = error.kind === "rateLimited" && onRetry && (
    <Button size="sm" onPress={onRetry}>
      {t("act-tryAgain")}
    </Button>
  );
  return (
    <Notice severity="warning" variant={variant} text={text} buttons={retry} details={<ErrorDetails error={error} />}>
      {fields.length > 0 && (
        <ul className="list-disc ps-5">
          {fields.map((field) => (
            <li key={field ?? "other"}>{t(field ?? "invalid-other")}</li>
          ))}
        </ul>
      )}
      {children}
    </Notice>
  );
}
