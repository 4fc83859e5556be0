/** The people of the organization: their roles, whether they can sign in, invitations. */

import { EllipsisVertical, UserPlus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Button as AriaButton, MenuTrigger } from "react-aria-components";
import { NameText } from "../components/BidiText";
import { Button } from "../components/Button";
import { copyText } from "../components/clipboard";
import { TextField } from "../components/Field";
import { LoadingText } from "../components/LoadingText";
import { MenuItem, MenuPopover, MenuSection } from "../components/Menu";
import { showStatus } from "../components/statusMessage";
import { usePagedList, usePagedResultAnnouncement } from "../components/usePagedList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PasswordCodeView, UserChange, UserView } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { roleName, sortRoles } from "../organizations/roles";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { AdministrationError } from "./AdministrationError";
import { ConfirmChange } from "./ConfirmChange";
import { InviteDialog } from "./InviteDialog";
import { type PeopleQuestion, questionWords } from "./peopleQuestions";
import { RoleChips, StateWord } from "./RoleChips";
import { SecretDialog } from "./SecretDialog";
import { type AdministrationWrite, useAdministration } from "./useAdministration";

const SUBJECT = "people";

export function People() {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const { organization, session } = useWorkspace();
  const [text, setText] = useState("");
  const [inviting, setInviting] = useState(false);
  const [code, setCode] = useState<{ username: string; code: PasswordCodeView } | null>(null);
  const [question, setQuestion] = useState<PeopleQuestion | null>(null);
  const wanted = useDeferredValue(text.trim());
  const people = usePagedList(
    [organization.id, SUBJECT, wanted],
    (page) => withBinding(organization.id, (binding) => commands.listUsers(binding, wanted, page)),
    ({ users }) => users,
  );
  usePagedResultAnnouncement(people, wanted, t("people-none"));
  const write = useAdministration(SUBJECT);
  const grantable = sortRoles(people.query.data?.pages[0]?.grantableRoles ?? []);
  const answer = async (run: AdministrationWrite["run"], asked: PeopleQuestion) => {
    if (asked.kind === "impersonate") {
      await run((binding) => commands.impersonate(binding, null, asked.user.id));
      // The window is that person's when it has succeeded.
      return undefined;
    }
    if (asked.kind === "reset") {
      const made = await run((binding) => commands.resetPassword(binding, asked.user.id));
      if (made) setCode({ username: asked.user.username, code: made });
      return made;
    }
    const what: UserChange = asked.kind === "revoke" ? { kind: "revokeRole", role: asked.role } : { kind: asked.kind };
    return run((binding) => commands.changeUser(binding, asked.user.id, what));
  };
  const ask = (asked: PeopleQuestion) => {
    write.clearError();
    setQuestion(asked);
  };
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 max-w-80 flex-1">
          <TextField label={t("people-search")} value={text} onChange={setText} />
        </div>
        {/* With no role to choose from, a role that nobody sees would be given. */}
        <Button
          variant="primary"
          isDisabled={grantable.length === 0}
          onPress={() => setInviting(true)}
          icon={<UserPlus size={15} aria-hidden="true" />}
        >
          {t("people-invite")}
        </Button>
      </div>
      {write.error && <AdministrationError error={write.error} />}
      {people.query.error && (
        <AdministrationError error={commandError(people.query.error)} onRetry={() => void people.query.refetch()} />
      )}
      {people.query.isPending && <LoadingText />}
      {people.rows && (
        <ul aria-label={t("administration-people")} className="rounded-md border border-line-strong bg-surface">
          {people.rows.length === 0 && <li className="px-3 py-4 text-fg-2">{t("people-none")}</li>}
          {people.rows.map((user) => (
            <li
              key={user.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-2 last:border-b-0"
            >
              <span className="min-w-44 flex-1">
                <span className="block font-semibold">
                  <NameText>{user.name || user.username}</NameText>
                </span>
                <span className="block break-all text-fg-2 text-xs">
                  <bdi dir="ltr">{user.username}</bdi>
                </span>
              </span>
              <RoleChips roles={user.roles} />
              <span className="w-44 text-xs">
                <StateWord state={user.state} />
                {user.codeExpires && (
                  <span className="block text-fg-2">{t("code-expires", { time: format.dateTime(user.codeExpires) })}</span>
                )}
                {user.fromAnotherOrganization && <span className="block text-fg-2">{t("people-other")}</span>}
              </span>
              <UserMenu
                user={user}
                grantable={grantable}
                onChange={(what) => void write.run((binding) => commands.changeUser(binding, user.id, what))}
                onAsk={ask}
              />
            </li>
          ))}
        </ul>
      )}
      {people.end}
      {inviting && (
        <InviteDialog
          roles={grantable}
          onClose={() => setInviting(false)}
          onInvited={(username, made) => {
            setInviting(false);
            setCode({ username, code: made });
          }}
        />
      )}
      {question && (
        <ConfirmChange
          {...questionWords(question, session.account.subject, localizer)}
          subject={SUBJECT}
          change={(run) => answer(run, question)}
          onClose={() => setQuestion(null)}
        />
      )}
      {code && (
        <SecretDialog
          title={t("code-title", { name: code.username })}
          hint={t("code-hint", { time: format.dateTime(code.code.expires) })}
          values={[
            { label: t("code-page"), value: code.code.page },
            { label: t("people-username"), value: code.username },
            { label: t("code"), value: code.code.code },
          ]}
          onClose={() => setCode(null)}
        />
      )}
    </>
  );
}

/** Roles whose holders nobody acts as (decision 0011). */
const NOT_IMPERSONATED: ReadonlySet<string> = new Set(["administrator", "operator"]);

function UserMenu({
  user,
  grantable,
  onChange,
  onAsk,
}: {
  user: UserView;
  /** The roles that the person may grant. */
  grantable: readonly string[];
  onChange: (change: UserChange) => void;
  onAsk: (question: PeopleQuestion) => void;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { session } = useWorkspace();
  const missing = grantable.filter((role) => !user.roles.includes(role));
  // Nobody ends or resets the own account here (decision 0116); the account of another organization is administered there.
  const account = !user.fromAnotherOrganization && user.id !== session.account.subject;
  const label = t("people-menu", { name: user.name || user.username });
  // An operator who is to act as this person needs it, and sees no people of tenants.
  const copyId = async () => showStatus(t((await copyText(user.id)) ? "copied" : "not-copied"));
  return (
    <MenuTrigger>
      <AriaButton
        aria-label={label}
        className="inline-flex size-7 items-center justify-center rounded-md text-fg-2 data-[hovered]:bg-sunken data-[hovered]:text-fg"
      >
        <EllipsisVertical size={15} aria-hidden="true" />
      </AriaButton>
      <MenuPopover label={label} placement="bottom end">
        {missing.length > 0 && (
          <MenuSection title={t("people-grant")}>
            {missing.map((role) => (
              <MenuItem key={role} id={`grant-${role}`} onAction={() => onChange({ kind: "grantRole", role })}>
                {roleName(role, localizer)}
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {user.roles.length > 0 && (
          <MenuSection title={t("people-revoke-section")}>
            {user.roles.map((role) => (
              <MenuItem key={role} id={`revoke-${role}`} onAction={() => onAsk({ user, kind: "revoke", role })}>
                {roleName(role, localizer)}
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {account && (
          <MenuSection title={t("people-sign-in")}>
            {user.state === "active" && !user.roles.some((role) => NOT_IMPERSONATED.has(role)) && (
              <MenuItem id="impersonate" onAction={() => onAsk({ user, kind: "impersonate" })}>
                {t("impersonate-open")}
              </MenuItem>
            )}
            <MenuItem id="reset" onAction={() => onAsk({ user, kind: "reset" })}>
              {t(user.state === "invited" ? "people-invite-again" : "people-reset-open")}
            </MenuItem>
            <MenuItem id="end" onAction={() => onAsk({ user, kind: "endSessions" })}>
              {t("people-endSessions-open")}
            </MenuItem>
            {user.state === "disabled" ? (
              <MenuItem id="enable" onAction={() => onChange({ kind: "enable" })}>
                {t("people-enable")}
              </MenuItem>
            ) : (
              <MenuItem id="disable" onAction={() => onAsk({ user, kind: "disable" })}>
                {t("people-disable-open")}
              </MenuItem>
            )}
          </MenuSection>
        )}
        <MenuItem id="copy-id" onAction={() => void copyId()}>
          {t("people-copy-id")}
        </MenuItem>
      </MenuPopover>
    </MenuTrigger>
  );
}
