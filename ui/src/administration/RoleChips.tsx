/** The roles of somebody, and whether they can sign in, in words. */

import { CircleCheck, CircleOff, Clock } from "lucide-react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { UserState } from "../ipc/bindings";
import { roleName } from "../organizations/roles";

export function RoleChips({ roles }: { roles: readonly string[] }) {
  const localizer = useLocalizer();
  return (
    <span className="flex flex-wrap gap-1">
      {roles.map((role) => (
        <span
          key={role}
          data-chip=""
          className="inline-flex min-h-6 items-center rounded-full border border-line-strong px-2 text-fg-2 text-xs"
        >
          {roleName(role, localizer)}
        </span>
      ))}
    </span>
  );
}

const icons = { active: CircleCheck, invited: Clock, passwordReset: Clock, disabled: CircleOff };
const colors = { active: "text-success", invited: "text-warning", passwordReset: "text-warning", disabled: "text-fg-3" };

export function StateWord({ state }: { state: UserState }) {
  const { t } = useLocalizer();
  const Icon = icons[state];
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon size={13} aria-hidden="true" className={`shrink-0 ${colors[state]}`} />
      {t(`user-${state}`)}
    </span>
  );
}
