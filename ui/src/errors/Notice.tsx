/** The layout of a notice, for errors and other messages: a banner, a card, inline, or as a page in place of content. */

import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useAnnouncement } from "../components/useAnnouncement";
import type { Severity } from "./errorRow";

export type NoticeVariant = "banner" | "card" | "inline" | "page";

const severityIcons = { info: Info, warning: TriangleAlert, error: CircleAlert };
const severityText = { info: "text-accent", warning: "text-warning", error: "text-danger" };
const severityBackground = {
  info: "bg-accent-soft border-accent/30",
  warning: "bg-warning-soft border-warning/30",
  error: "bg-danger-soft border-danger/30",
};

export function Notice({
  severity,
  variant,
  text,
  about = text,
  buttons,
  details,
  children,
}: {
  severity: Severity;
  variant: NoticeVariant;
  text: string;
  /** What the text is about: it is announced when this changes. `null`: never, as a part of what is read anyway. */
  about?: string | null;
  buttons?: ReactNode;
  details?: ReactNode;
  children?: ReactNode;
}) {
  const Icon = severityIcons[severity];
  const isAlert = severity === "error";
  // An alert is announced when it is inserted. A status that comes with its text is not, and its countdown would be, every second.
  const role = isAlert ? ({ role: "alert" } as const) : ({ role: "status", "aria-live": "off" } as const);
  useAnnouncement(isAlert || about === null ? null : text, about);
  if (variant === "page") {
    return (
      <div {...role} className="fade-in m-auto flex max-w-110 flex-col items-center gap-4 p-6 text-center">
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
      <div {...role} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <Icon size={14} aria-hidden="true" className={`shrink-0 ${severityText[severity]}`} />
        {/* A long text has its lines beside the icon, and not below it. */}
        <span className="min-w-0 max-w-[calc(100%-22px)]">{text}</span>
        {children}
        {buttons}
      </div>
    );
  }
  const edge = variant === "banner" ? "border-b px-4 py-2" : "rounded-md border p-3";
  return (
    <div {...role} className={`fade-in flex items-start gap-2.5 ${edge} ${severityBackground[severity]}`}>
      <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${severityText[severity]}`} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-[min(15rem,100%)] flex-1 text-fg">
          <p>{text}</p>
          {children && <div className="text-fg-2">{children}</div>}
          {details}
        </div>
        {buttons && (
          <div data-actions="" className="flex flex-wrap gap-2">
            {buttons}
          </div>
        )}
      </div>
    </div>
  );
}
