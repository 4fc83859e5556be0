/** Badge with the kind of an environment. Production and staging differ in text and in style. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { EnvironmentView } from "../ipc/bindings";

const kindClasses = {
  local: "border-line-strong text-fg-2",
  staging: "border-warning bg-warning-soft text-warning font-semibold",
  production: "border-line-strong text-fg-2",
};

export function EnvironmentBadge({ environment }: { environment: EnvironmentView }) {
  const { t } = useLocalizer();
  return (
    <span
      data-chip=""
      className={`inline-flex h-6 shrink-0 items-center rounded-full border px-2.5 text-xs ${kindClasses[environment.kind]}`}
    >
      {t(`environment-${environment.kind}`)}
    </span>
  );
}
