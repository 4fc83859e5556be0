/** An error of the administration: in its own words where those of documents do not fit. */

import { ErrorDetails } from "../errors/ErrorDetails";
import { ErrorNotice, Notice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { MessageId } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";

type Plain = Extract<MessageId, `administration-error-${string}`>;

const REASONS: Readonly<Record<string, Plain>> = {
  LAST_ADMINISTRATOR: "administration-error-last",
  LAST_RULE_MANAGER: "administration-error-last-rules",
  USER_LIMIT_ELSEWHERE: "administration-error-limit-elsewhere",
  OWN_ACCOUNT: "administration-error-own",
  NO_PATS: "administration-error-no-tokens",
  RULES_REFUSED: "administration-error-rules",
  PLAN_IN_USE: "administration-error-plan-in-use",
  OPERATOR_TENANT: "administration-error-operator-tenant",
  ENCRYPTION_KEY_MISSING: "administration-error-encryption",
};

function messageOf(error: CommandError): Plain | null {
  switch (error.kind) {
    case "failedPrecondition":
      return REASONS[error.reason] ?? "administration-error-state";
    case "alreadyExists":
      return "administration-error-exists";
    case "aborted":
      return error.support.operation.endsWith("_rules") ? "administration-error-aborted" : "administration-error-stale";
    case "permissionDenied":
      return error.support.operation === "impersonate" ? "administration-error-not-impersonated" : null;
    case "notFound":
      return "administration-error-gone";
    case "invalidArgument":
      return "administration-error-invalid";
    default:
      return null;
  }
}

export function AdministrationError({ error, onRetry }: { error: CommandError; onRetry?: () => void }) {
  const { t } = useLocalizer();
  const message = messageOf(error);
  if (!message) return <ErrorNotice error={error} variant="card" {...(onRetry ? { handlers: { tryNow: onRetry } } : {})} />;
  return (
    <Notice severity="warning" variant="card" text={t(message)} details={<ErrorDetails error={error} />}>
      {error.kind === "invalidArgument" && error.violations.length > 0 && (
        <ul lang="en" dir="ltr" className="list-disc ps-5">
          {error.violations.map(({ path, description }) => (
            <li key={path + description}>{description}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
