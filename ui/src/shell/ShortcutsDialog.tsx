/** Dialog with all keyboard shortcuts. */

import { Kbd } from "../components/Kbd";
import { Modal } from "../components/Modal";
import { keyCaps, keysOf, shortcuts } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { shortcutGroups, shortcutsOf } from "../settings/shortcutKeys";

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useLocalizer();
  return (
    <Modal title={t("shortcuts")} width="lg" isOpen={isOpen} onClose={onClose}>
      {/* Takes the focus, so that arrow keys scroll where the list is longer than the window. */}
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-label={t("shortcuts")}
        className="grid grid-cols-2 gap-x-8 gap-y-6 max-narrow:grid-cols-1"
      >
        {shortcutGroups.map((group) => (
          <section key={group} aria-labelledby={`keys-${group}`}>
            <h3 id={`keys-${group}`} className="pb-1 font-semibold text-fg-2 text-xs">
              {t(`keys-${group}`)}
            </h3>
            <dl>
              {shortcutsOf(group).map((id) => (
                <div key={id} className="flex min-h-7 items-center justify-between gap-4 border-line border-b">
                  <dt>{t(shortcuts[id].label)}</dt>
                  <dd>
                    <span className="visually-hidden">{keyCaps(keysOf(id)).join(" ")}</span>
                    <Kbd keys={keysOf(id)} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
