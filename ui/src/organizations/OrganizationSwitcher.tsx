/** Dialog to switch the organization: search by name, domain or id, with roles and local aliases. */

import { AppWindow, Pencil, Pin, PinOff } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Header, ListBox, ListBoxSection } from "react-aria-components";
import { Button } from "../components/Button";
import { Kbd } from "../components/Kbd";
import { Modal } from "../components/Modal";
import { ariaKeyShortcuts, keysOf, matchesShortcut } from "../components/shortcuts";
import { useResultAnnouncement } from "../components/useAnnouncement";
import { type FormDiscardQuestion, useFormDiscardQuestion } from "../components/useDiscardQuestion";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { OrganizationView } from "../ipc/bindings";
import { useWindowSignIn } from "../session/windowSignIn";
import { useWorkspace } from "../state/workspace";
import { useNewWindow } from "../windows/useNewWindow";
import { AliasForm } from "./AliasForm";
import { OrganizationOption, OrganizationSearch } from "./OrganizationChoice";
import { search } from "./search";
import { shortlistOf } from "./shortlist";
import { usePinnedOrganizations } from "./usePinnedOrganizations";
import { useSwitchOrganization } from "./useSwitchOrganization";

/** Opens a window instead of switching this one. */
const NEW_WINDOW_KEYS = "Mod+Enter";

export function OrganizationSwitcher({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useLocalizer();
  const question = useFormDiscardQuestion(onClose);
  return (
    <Modal title={t("switcher-title")} width="md" isOpen={isOpen} onClose={question.close}>
      <Switcher question={question} onClose={onClose} />
    </Modal>
  );
}

function Switcher({ question, onClose }: { question: FormDiscardQuestion; onClose: () => void }) {
  const { t, format } = useLocalizer();
  const { session, organization: current } = useWorkspace();
  const { switchTo, error } = useSwitchOrganization();
  const pins = usePinnedOrganizations();
  const windows = useNewWindow();
  // The organization whose row had the focus last: the buttons below are about it.
  const [lastFocused, setLastFocused] = useState<string | null>(null);
  const signIn = useWindowSignIn();
  const [text, setText] = useState("");
  const [renaming, setRenaming] = useState<OrganizationView | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const results = search(session.organizations, text);
  useResultAnnouncement(text, results.length, t("switcher-none"));
  const choose = async (organization: string) => {
    if (await switchTo(organization)) onClose();
  };
  /** What the keys and the buttons below are about. */
  const chosen = session.organizations.find(({ id }) => id === lastFocused) ?? (text === "" ? current : (results[0] ?? current));
  const openWindow = async () => {
    if (await windows.openWindow(chosen.id)) onClose();
  };
  // The search field and the list use Escape for themselves: to clear the text and the selection.
  const onAnyKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method are its own: Escape takes back what is being composed.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const typing = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (matchesShortcut(event.nativeEvent, keysOf("pinOrganization"))) {
      event.preventDefault();
      event.stopPropagation();
      void pins.toggle(chosen);
    } else if (matchesShortcut(event.nativeEvent, NEW_WINDOW_KEYS)) {
      event.preventDefault();
      event.stopPropagation();
      void openWindow();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    } else if (typing && list.current?.contains(event.target as Node)) {
      // The field gets the focus before the letter, which is then typed there.
      event.stopPropagation();
      field.current?.focus();
    }
  };
  if (renaming) return <AliasForm organization={renaming} question={question} onDone={() => setRenaming(null)} />;
  return (
    // It handles the keys of the field and of the list before they do.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex flex-col gap-3" onKeyDownCapture={onAnyKeyDown}>
      <OrganizationSearch
        field={field}
        list={list}
        value={text}
        onChange={(value) => {
          setText(value);
          setLastFocused(null);
        }}
        onEnter={() => {
          if (results[0]) void choose(results[0].id);
        }}
      />
      {error && <ErrorNotice error={error} variant="card" />}
      {windows.error && <ErrorNotice error={windows.error} variant="card" />}
      {pins.error && <ErrorNotice error={pins.error} variant="card" />}
      {signIn.error && <ErrorNotice error={signIn.error} variant="card" />}
      <ListBox
        ref={list}
        onFocus={(event) => setLastFocused(event.target.closest("[role=option]")?.getAttribute("data-key") ?? null)}
        aria-label={t("switcher-title")}
        selectionMode="single"
        escapeKeyBehavior="none"
        selectedKeys={[current.id]}
        onAction={(key) => void choose(String(key))}
        onSelectionChange={(keys) => {
          const [key] = keys === "all" ? [] : keys;
          // The row of the present organization, which is selected, is taken out of the selection.
          void choose(String(key ?? current.id));
        }}
        renderEmptyState={() => <p className="p-4 text-center text-fg-2">{t("switcher-none")}</p>}
        className="max-h-[46vh] overflow-y-auto outline-none"
      >
        {shortlistOf(results, text === "", current.id).map((section) => (
          <ListBoxSection key={section.id} id={section.id}>
            {section.id !== "found" && (
              <Header className="px-2 pt-2 pb-1 font-semibold text-2xs text-fg-2">{t(`switcher-${section.id}`)}</Header>
            )}
            {section.organizations.map((organization) => (
              <OrganizationOption key={organization.id} organization={organization}>
                {session.organizations.indexOf(organization) < 9 && (
                  <span className="max-narrow:hidden">
                    <Kbd keys={`Mod+${format.integer(session.organizations.indexOf(organization) + 1)}`} />
                  </span>
                )}
              </OrganizationOption>
            ))}
          </ListBoxSection>
        ))}
      </ListBox>
      <div className="flex flex-wrap items-center gap-2 border-line border-t pt-3">
        <Button
          size="sm"
          onPress={() => void openWindow()}
          aria-keyshortcuts={ariaKeyShortcuts(NEW_WINDOW_KEYS)}
          icon={<AppWindow size={13} aria-hidden="true" />}
        >
          {t("open-in-new-window", { organization: chosen.name })}
          <Kbd keys={NEW_WINDOW_KEYS} />
        </Button>
        <Button size="sm" variant="quiet" onPress={() => setRenaming(chosen)} icon={<Pencil size={13} aria-hidden="true" />}>
          {t("rename", { organization: chosen.name })}
        </Button>
        <Button
          size="sm"
          variant="quiet"
          shortcut="pinOrganization"
          onPress={() => void pins.toggle(chosen)}
          icon={chosen.pinned ? <PinOff size={13} aria-hidden="true" /> : <Pin size={13} aria-hidden="true" />}
        >
          {chosen.pinned ? t("unpin") : t("pin")}
        </Button>
        <span className="flex-1" />
        <span className="text-fg-2 text-xs">{t("roles-as-of", { time: format.dateTime(session.rolesAsOf) })}</span>
        <Button size="sm" onPress={signIn.refreshOrganizations}>
          {t("act-refreshOrganizations")}
        </Button>
      </div>
    </div>
  );
}
