/** The calls that wait for their next attempt: their number, and a popover with each. */

import { useId, useState } from "react";
import { Button as AriaButton, DialogTrigger, Popover } from "react-aria-components";
import { useCommand } from "../components/commands";
import { useCountdown } from "../components/useCountdown";
import { RetryNotice } from "../errors/RetryNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PendingRetry } from "../ipc/bindings";

export function PendingRetries({ retries }: { retries: readonly PendingRetry[] }) {
  const { t, format } = useLocalizer();
  const next = retries.toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until))[0];
  const seconds = useCountdown(next?.until ?? "");
  const writes = retries.filter(({ write }) => write).length;
  const time = format.countdown(seconds);
  const [open, setOpen] = useState(false);
  const title = useId();
  useCommand("queue", "act-showQueue", () => setOpen(true));
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <AriaButton
        data-waits=""
        className="inline-flex items-center gap-1 rounded-sm font-semibold text-warning data-[hovered]:underline"
      >
        {writes > 0 ? t("writes-waiting", { count: writes, time }) : t("reads-waiting", { count: retries.length, time })}
      </AriaButton>
      {/* It is the dialog itself: around another one it would have a name and no role. */}
      <Popover
        placement="top start"
        aria-labelledby={title}
        className="fade-in w-100 max-w-[90vw] rounded-md border border-line-strong bg-surface outline-none"
      >
        <div className="flex max-h-[inherit] flex-col">
          <p id={title} className="border-line border-b px-3 py-2 font-semibold">
            {t("pending-retries")}
          </p>
          <ul className="max-h-80 min-h-0 overflow-y-auto">
            {retries.map((retry) => (
              <li key={retry.id} className="border-line border-b px-3 py-2 last:border-b-0">
                <RetryNotice retry={retry} variant="inline" />
              </li>
            ))}
          </ul>
        </div>
      </Popover>
    </DialogTrigger>
  );
}
