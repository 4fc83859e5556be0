/** An error as a notice: a banner, a card, inline, or as a page in place of content. */

import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { type ReactNode, use } from "react";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { stripIsolates } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";
import { GoToWindowButton } from "../windows/GoToWindowButton";
import { type ErrorAction, type ErrorHandlers, sameHandler, WindowErrorHandlers } from "./actions";
import { ErrorDetails } from "./ErrorDetails";
import type { ErrorContext, Severity } from "./errorRow";
import { detailsText, supportOf } from "./supportDetails";
import { describeError } from "./table";
import { useErrorContext } from "./useErrorContext";

export type NoticeVariant = "banner" | "card" | "inline" | "page";

export interface ErrorNoticeProps {
  error: CommandError;
  variant: NoticeVariant;
  /** Those of this place. The window adds its own. */
  handlers?: ErrorHandlers;
  /** Additional content, as a countdown to the next retry. */
  children?: ReactNode;
  /** Whether the details are shown. By default they are if the error has any and the notice is not inline. */
  withDetails?: boolean;
  /** Names for the message that only the place of the notice knows. */
  context?: Partial<ErrorContext>;
}

export function ErrorNotice({ error, variant, handlers, children, withDetails, context }: ErrorNoticeProps) {
  const localizer = useLocalizer();
  const windowHandlers = use(WindowErrorHandlers);
  const { severity, text, actions } = describeError(error, { ...useErrorContext(error), ...context }, localizer);
  const hasDetails = withDetails ?? (supportOf(error) !== null && variant !== "inline");
  const buttons = actions
    .map((action, index) => (
      <ErrorActionButton
        key={action}
        action={action}
        error={error}
        handler={handlers?.[action] ?? handlers?.[sameHandler[action] ?? action] ?? windowHandlers[action]}
        first={index === 0}
        text={text}
      />
    ))
    .filter(Boolean);
  return (
    <Notice
      severity={severity}
      variant={variant}
      text={text}
      buttons={buttons}
      details={hasDetails && <ErrorDetails error={error} />}
    >
      {children}
    </Notice>
  );
}

function ErrorActionButton({
  action,
  error,
  handler,
  first,
  text,
}: {
  action: ErrorAction;
  error: CommandError;
  handler: (() => void) | undefined;
  first: boolean;
  text: string;
}) {
  const { t } = useLocalizer();
  if (action === "copySupport") return <CopyButton size="sm" label={t("act-copySupport")} text={() => detailsText(error)} />;
  if (action === "copyRequest" || action === "copyForAdministrator") {
    const request = () =>
      stripIsolates(`${text}\n\n${error.kind === "permissionDenied" ? `scope: ${error.scope}\n` : ""}${detailsText(error)}`);
    return <CopyButton size="sm" label={t(`act-${action}`)} text={request} />;
  }
  if (action === "goToWindow" && error.kind === "draftInOtherWindow") return <GoToWindowButton draft={error.key} first={first} />;
  if (!handler) return null;
  return (
    <Button size="sm" variant={first ? "primary" : "secondary"} onPress={handler}>
      {t(`act-${action}`)}
    </Button>
  );
}

const severityIcons = { info: Info, warning: TriangleAlert, error: CircleAlert };
const severityText = { info: "text-accent", warning: "text-warning", error: "text-danger" };
const severityBackground = {
  info: "bg-accent-soft border-accent/30",
  warning: "bg-warning-soft border-warning/30",
  error: "bg-danger-soft border-danger/30",
};

/** Layout of a notice, for errors and other messages. */
export function Notice({
  severity,
  variant,
  text,
  buttons,
  details,
  children,
}: {
  severity: Severity;
  variant: NoticeVariant;
  text: string;
  buttons?: ReactNode;
  details?: ReactNode;
  children?: ReactNode;
}) {
  const Icon = severityIcons[severity];
  const role = severity === "error" ? "alert" : "status";
  if (variant === "page") {
    return (
      <div role={role} className="fade-in m-auto flex max-w-110 flex-col items-center gap-4 p-6 text-center">
        <span
          className={`inline-flex size-11 items-center justify-center rounded-full border ${severityBackground[severity]} ${severityText[severity]}`}
        >
          <Icon size={20} aria-hidden="true" />
        </span>
        <p className="text-balance text-fg text-md">{text}</p>
        {children && <div className="text-fg-2">{children}</div>}
        {buttons && <div className="flex flex-wrap justify-center gap-2">{buttons}</div>}
        {details}
      </div>
    );
  }
  if (variant === "inline") {
    return (
      <div role={role} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <Icon size={14} aria-hidden="true" className={`shrink-0 ${severityText[severity]}`} />
        <span className="min-w-0">{text}</span>
        {children}
        {buttons}
      </div>
    );
  }
  const edge = variant === "banner" ? "border-b px-4 py-2" : "rounded-md border p-3";
  return (
    <div role={role} className={`fade-in flex items-start gap-2.5 ${edge} ${severityBackground[severity]}`}>
      <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${severityText[severity]}`} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-60 flex-1 text-fg">
          <p>{text}</p>
          {children && <div className="text-fg-2">{children}</div>}
          {details}
        </div>
        {buttons && <div className="flex flex-wrap gap-2">{buttons}</div>}
      </div>
    </div>
  );
}
