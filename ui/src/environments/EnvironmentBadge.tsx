/** The environment in words; staging and production can never be taken for each other. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { EnvironmentView } from "../ipc/bindings";

const looks = {
  local: "border-line-strong text-ink-2",
  staging: "border-warn bg-warn-soft text-warn font-semibold",
  production: "border-line-strong text-ink-2",
};

export function EnvironmentBadge({ environment }: { environment: EnvironmentView }) {
  const { t } = useLocalizer();
  return (
    <span
      data-chip=""
      className={`inline-flex h-6 shrink-0 items-center rounded-full border px-2.5 text-xs ${looks[environment.kind]}`}
    >
      {t(`environment-${environment.kind}`)}
    </span>
  );
}
