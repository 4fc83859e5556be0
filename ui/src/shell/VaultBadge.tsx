/** The part of the status bar that unlocks the keyring. */

import { KeyRound } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { VaultProblem } from "../ipc/bindings";
import { useWindowSignIn } from "../session/windowSignIn";

export function VaultBadge({ problem }: { problem: VaultProblem }) {
  const { t } = useLocalizer();
  const signIn = useWindowSignIn();
  return (
    <AriaButton
      onPress={signIn.unlock}
      className="inline-flex items-center gap-1 rounded-sm text-warning data-[hovered]:underline"
    >
      <KeyRound size={12} aria-hidden="true" />
      {t(problem === "waiting" ? "vault-badge-waiting" : "vault-badge")}
    </AriaButton>
  );
}
