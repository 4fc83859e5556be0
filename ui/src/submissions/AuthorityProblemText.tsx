/** Why a tax authority has not answered, in words, and behind "Details" what the service says. */

import { ServiceWords } from "../errors/ServiceWords";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AuthorityProblem } from "../ipc/bindings";

export function AuthorityProblemText({ problem }: { problem: AuthorityProblem }) {
  const { t } = useLocalizer();
  const { kind, httpStatus, description } = problem;
  return (
    <>
      <p>{kind === "status" ? t("authority-problem-status", { status: String(httpStatus) }) : t(`authority-problem-${kind}`)}</p>
      <ServiceWords texts={[description]} />
    </>
  );
}
