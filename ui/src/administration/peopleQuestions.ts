/** What is asked about before it is done to a person, and the words of the question. */

import type { Localizer } from "../i18n/localizer";
import type { UserView } from "../ipc/bindings";
import { roleName } from "../organizations/roles";

export type PeopleQuestion =
  | { user: UserView; kind: "disable" | "endSessions" | "reset" | "impersonate" }
  | { user: UserView; kind: "revoke"; role: string };

/** `ownSubject` is the id of who asks: taking away an own role is a question of its own. */
export function questionWords(
  question: PeopleQuestion,
  ownSubject: string,
  localizer: Localizer,
): { title: string; hint: string; confirm: string } {
  const { t } = localizer;
  const name = question.user.name || question.user.username;
  switch (question.kind) {
    case "impersonate":
      return { title: t("impersonate-title", { name }), hint: t("impersonate-hint", { name }), confirm: t("impersonate") };
    case "revoke": {
      const isOwn = question.user.id === ownSubject;
      const role = roleName(question.role, localizer);
      const hint = t(isOwn ? "people-revoke-own-hint" : "people-revoke-hint", { role });
      return { title: t("people-revoke-title", { name }), hint, confirm: t("people-revoke") };
    }
    case "disable":
    case "endSessions":
    case "reset": {
      const { kind } = question;
      return { title: t(`people-${kind}-title`, { name }), hint: t(`people-${kind}-hint`), confirm: t(`people-${kind}`) };
    }
  }
}
