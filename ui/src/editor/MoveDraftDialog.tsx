/**
 * Moves a draft to another organization: where it is, where it can go, and what becomes of it (decision 0185). The window stays in its
 * organization, unless the person asks for the other one.
 */

import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useRef, useState } from "react";
import { ListBox } from "react-aria-components";
import { NameText } from "../components/BidiText";
import { Button } from "../components/Button";
import { Checkbox } from "../components/Checkbox";
import { Modal } from "../components/Modal";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { showStatus } from "../components/statusMessage";
import { useResultAnnouncement } from "../components/useAnnouncement";
import { orArrived, useArrivedDocument } from "../drafts/useArrivedDocument";
import { ErrorNotice } from "../errors/ErrorNotice";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft, OrganizationView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { OrganizationOption, OrganizationSearch } from "../organizations/OrganizationChoice";
import { search } from "../organizations/search";
import { useSwitchOrganization } from "../organizations/useSwitchOrganization";
import { invalidateDrafts, noteTold } from "../queries/draftQueries";
import { openFirst } from "../state/firstView";
import { useNavigation } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import type { Autosave } from "./autosave";
import { useAfterFills } from "./useAfterFills";
import type { DraftEditor } from "./useDraftEditor";

export interface MoveDraftDialogProps {
  draftKey: string;
  /** Goes on if the draft is not moved. */
  autosave: Autosave<Draft>;
  withDraft: DraftEditor["withDraft"];
  /** Whether something that was chosen in the form is not there yet. It goes along. */
  filling: boolean;
  onClose: () => void;
}

export function MoveDraftDialog({ draftKey, autosave, withDraft, filling, onClose }: MoveDraftDialogProps) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { session, organization } = useWorkspace();
  const { navigate } = useNavigation();
  const openArrived = useArrivedDocument();
  const { switchTo } = useSwitchOrganization(showWindowError);
  const { run, busy, error } = useCommandCalls();
  const [text, setText] = useState("");
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [follows, setFollows] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { id } = organization;
  const others = session.organizations.filter((each) => each.id !== id);
  const results = search(others, text);
  const chosen = results.find((each) => each.id === chosenId);
  useResultAnnouncement(text, results.length, t("switcher-none"));

  const move = (to: OrganizationView) =>
    run(async () => {
      const outcome = await withDraft(() =>
        // What was typed last goes along. A write that comes afterwards would bring the draft back.
        autosave.endWith(() => orArrived(withBinding(id, (binding) => commands.moveDraft(binding, draftKey, to.id))), true),
      );
      if ("arrived" in outcome) {
        onClose();
        openArrived(draftKey, outcome.arrived, t("move-arrived", { organization: organization.name }));
        return;
      }
      const key = outcome.deleted;
      noteTold(client, id, draftKey);
      invalidateDrafts(client, to.id);
      showStatus(t("draft-moved", { organization: to.name }));
      if (follows) {
        openFirst({ name: "editor", draft: key });
        if (await switchTo(to.id)) return;
        openFirst(null);
      }
      // The form has no draft any more.
      onClose();
      navigate({ name: "invoices" });
    });
  const moveFilled = useAfterFills(filling, (to: OrganizationView) => void move(to));
  // A draft that is being moved stays in the form until it is known where it is.
  const close = () => {
    if (!busy) onClose();
  };
  // The search field and the list use Escape for themselves: to clear the text and the selection.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <Modal
      title={t("draft-move")}
      width="md"
      isOpen
      onClose={close}
      actions={
        <>
          <Button isBusy={busy} onPress={close}>
            {t("cancel")}
          </Button>
          <Button
            variant="primary"
            isBusy={busy}
            isDisabled={!chosen}
            onPress={() => {
              if (chosen) moveFilled(chosen);
            }}
          >
            {chosen ? t("draft-move-confirm", { organization: chosen.name }) : t("draft-move-none")}
          </Button>
        </>
      }
    >
      {/* It handles Escape of the field and of the list before they do. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="flex flex-col gap-3" onKeyDownCapture={onKeyDown}>
        <p>{t("draft-move-from")}</p>
        <p className="flex items-center gap-2.5">
          <OrganizationBadge organization={organization} />
          <NameText className="font-semibold">{organization.name}</NameText>
        </p>
        <OrganizationSearch
          list={list}
          value={text}
          onChange={setText}
          onEnter={() => {
            if (results[0]) setChosenId(results[0].id);
          }}
        />
        <ListBox
          ref={list}
          aria-label={t("draft-move-to")}
          selectionMode="single"
          escapeKeyBehavior="none"
          selectedKeys={chosen ? [chosen.id] : []}
          onSelectionChange={(keys) => {
            const [key] = keys === "all" ? [] : keys;
            setChosenId(key === undefined ? null : String(key));
          }}
          renderEmptyState={() => <p className="p-4 text-center text-fg-2">{t("switcher-none")}</p>}
          className="max-h-[32vh] overflow-y-auto outline-none"
        >
          {results.map((each) => (
            <OrganizationOption key={each.id} organization={each} />
          ))}
        </ListBox>
        <p className="text-fg-2">{t("draft-move-changes")}</p>
        <p className="text-fg-2">{t("draft-move-check", { organization: organization.name })}</p>
        <Checkbox isSelected={follows} onChange={setFollows}>
          {t("draft-move-follow")}
        </Checkbox>
        {error && <ErrorNotice error={error} variant="card" />}
      </div>
    </Modal>
  );
}
