/** An error in words where it belongs: as a bar across, a card in the flow, a line, or in place of what could not be shown. */

import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { CommandError } from "../ipc/bindings";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { useWords } from "../words/WordsProvider";
import { withoutIsolates } from "../words/words";
import type { ErrorAction } from "./actions";
import { detailsText, supportOf } from "./details";
import { useErrorContext } from "./ErrorContext";
import { ErrorDetails } from "./ErrorDetails";
import { describe, type Severity } from "./table";

export type NoticeShape = "bar" | "card" | "line" | "page";

/** What each action does here; actions that have no meaning here are not offered. */
export type ErrorHandlers = Partial<Record<ErrorAction, () => void>>;

export interface ErrorNoticeProps {
  error: CommandError;
  shape: NoticeShape;
  handlers?: ErrorHandlers;
  /** A countdown, for what is tried again. */
  children?: ReactNode;
  /** Whether 'Details' stands below; off where a person is only signing in. */
  withDetails?: boolean;
}

export function ErrorNotice({ error, shape, handlers, children, withDetails }: ErrorNoticeProps) {
  const words = useWords();
  const { severity, text, actions } = describe(error, useErrorContext(error), words);
  const hasDetails = withDetails ?? (supportOf(error) !== null && shape !== "line");
  const buttons = actions
    .map((action, index) => (
      <ErrorActionButton
        key={action}
        action={action}
        error={error}
        handler={handlers?.[action]}
        first={index === 0}
        text={text}
      />
    ))
    .filter(Boolean);
  return (
    <Notice
      severity={severity}
      shape={shape}
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
  const { t } = useWords();
  if (action === "copySupport") return <CopyButton size="sm" label={t("act-copySupport")} text={() => detailsText(error)} />;
  if (action === "copyRequest") {
    const request = () =>
      withoutIsolates(`${text}\n\n${error.kind === "permissionDenied" ? `scope: ${error.scope}\n` : ""}${detailsText(error)}`);
    return <CopyButton size="sm" label={t("act-copyRequest")} text={request} />;
  }
  if (!handler) return null;
  return (
    <Button size="sm" tone={first ? "primary" : "secondary"} onPress={handler}>
      {t(`act-${action}`)}
    </Button>
  );
}

const severityIcons = { note: Info, warning: TriangleAlert, problem: CircleAlert };
const severityInk = { note: "text-accent", warning: "text-warn", problem: "text-danger" };
const severityGround = {
  note: "bg-accent-soft border-accent/30",
  warning: "bg-warn-soft border-warn/30",
  problem: "bg-danger-soft border-danger/30",
};

/** The drawn notice, for errors and for other things that a person must be told. */
export function Notice({
  severity,
  shape,
  text,
  buttons,
  details,
  children,
}: {
  severity: Severity;
  shape: NoticeShape;
  text: string;
  buttons?: ReactNode;
  details?: ReactNode;
  children?: ReactNode;
}) {
  const Icon = severityIcons[severity];
  const role = severity === "problem" ? "alert" : "status";
  if (shape === "page") {
    return (
      <div role={role} className="appear m-auto flex max-w-110 flex-col items-center gap-4 p-6 text-center">
        <span
          className={`inline-flex size-11 items-center justify-center rounded-full border ${severityGround[severity]} ${severityInk[severity]}`}
        >
          <Icon size={20} aria-hidden="true" />
        </span>
        <p className="text-balance text-ink text-md">{text}</p>
        {children && <div className="text-ink-2">{children}</div>}
        {buttons && <div className="flex flex-wrap justify-center gap-2">{buttons}</div>}
        {details}
      </div>
    );
  }
  if (shape === "line") {
    return (
      <div role={role} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <Icon size={14} aria-hidden="true" className={`shrink-0 ${severityInk[severity]}`} />
        <span className="min-w-0">{text}</span>
        {children}
        {buttons}
      </div>
    );
  }
  const edge = shape === "bar" ? "border-b px-4 py-2" : "rounded-md border p-3";
  return (
    <div role={role} className={`appear flex items-start gap-2.5 ${edge} ${severityGround[severity]}`}>
      <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${severityInk[severity]}`} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-60 flex-1 text-ink">
          <p>{text}</p>
          {children && <div className="text-ink-2">{children}</div>}
          {details}
        </div>
        {buttons && <div className="flex flex-wrap gap-2">{buttons}</div>}
      </div>
    </div>
  );
}
