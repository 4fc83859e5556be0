/** The line that says how old an answer is that was kept on this computer. */

import { History } from "lucide-react";
import { useLocalizer } from "../i18n/LocalizerProvider";

const WEEK_MS = 7 * 86_400_000;

export function OfflineAge({ asOf }: { asOf: string }) {
  const { t, format } = useLocalizer();
  const now = new Date();
  // Within a week, the age tells the day.
  const time = now.getTime() - Date.parse(asOf) < WEEK_MS ? format.time(asOf) : format.dateTime(asOf);
  return (
    <p role="status" className="flex shrink-0 items-center gap-1.5 border-line border-b bg-sunken px-4 py-1 text-fg-2 text-xs">
      <History size={13} aria-hidden="true" className="shrink-0" />
      {t("offline-as-of", { time, age: format.age(asOf, now) })}
    </p>
  );
}
