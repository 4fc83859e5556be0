/** Removes an account from this computer, after a confirmation that counts what is only here. */

import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../components/Button";
import { Modal } from "../components/Modal";
import { useAnnouncement } from "../components/useAnnouncement";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AccountData, AccountView } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";

export function RemoveAccount({ account, onRemoved }: { account: AccountView; onRemoved: () => void }) {
  const { t } = useLocalizer();
  const [data, setData] = useState<AccountData | null>(null);
  const [changed, setChanged] = useState(false);
  const { run, busy, error } = useCommandCalls();
  const changedText = changed && data !== null ? t("account-remove-changed") : null;
  // A status that comes with its text is not announced.
  useAnnouncement(changedText);
  const count = async () => setData(await call(commands.accountData(account.id)));
  const open = () => {
    setChanged(false);
    void run(count);
  };
  const remove = (agreed: AccountData) =>
    run(async () => {
      if (await call(commands.purgeAccount(account.id, agreed))) {
        setData(null);
        onRemoved();
      } else {
        setChanged(true);
        await count();
      }
    });
  return (
    <>
      <IconButton
        label={t("account-remove", { name: account.name })}
        icon={<Trash2 size={14} aria-hidden="true" />}
        onPress={open}
      />
      {error && data === null && <ErrorNotice error={error} variant="inline" />}
      {data !== null && (
        <Modal
          title={t("account-remove-title", { name: account.name })}
          role="alertdialog"
          isOpen
          onClose={() => setData(null)}
          actions={
            <>
              <Button autoFocus onPress={() => setData(null)}>
                {t("account-keep")}
              </Button>
              <Button variant="danger" isBusy={busy} onPress={() => void remove(data)}>
                {t(isEmpty(data) ? "account-remove-only" : "account-remove-confirm")}
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-3">
            {changedText !== null && (
              <p role="status" aria-live="off">
                {changedText}
              </p>
            )}
            <OnlyHere data={data} />
            <p className="text-fg-2">{t("account-remove-hint")}</p>
            {error && <ErrorNotice error={error} variant="card" />}
          </div>
        </Modal>
      )}
    </>
  );
}

/** What is deleted and is nowhere else. */
function OnlyHere({ data }: { data: AccountData }) {
  const { t } = useLocalizer();
  const { drafts, templates, waitingFiles } = data;
  if (isEmpty(data)) return <p>{t("account-remove-nothing")}</p>;
  return (
    <div className="flex flex-col gap-1">
      <p className="font-semibold">{t("account-remove-data")}</p>
      <ul className="list-disc ps-5">
        {drafts > 0 && <li>{t("account-remove-drafts", { count: drafts })}</li>}
        {templates > 0 && <li>{t("account-remove-templates", { count: templates })}</li>}
        {waitingFiles > 0 && <li>{t("account-remove-files", { count: waitingFiles })}</li>}
      </ul>
    </div>
  );
}

function isEmpty({ drafts, templates, waitingFiles }: AccountData): boolean {
  return drafts + templates + waitingFiles === 0;
}
