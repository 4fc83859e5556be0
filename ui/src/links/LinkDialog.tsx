/** Explains why a link opened nothing in this window, and offers the window in which it opens. */

import { NameText } from "../components/BidiText";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { ErrorNotice } from "../errors/ErrorNotice";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { call, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { useWindowSignIn } from "../session/windowSignIn";
import { useWorkspace } from "../state/workspace";
import type { RefusedTarget } from "./DocumentLinks";

export function LinkDialog({ target, onClose }: { target: RefusedTarget; onClose: () => void }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { session, organization: current } = useWorkspace();
  const signIn = useWindowSignIn();
  const { run, error } = useCommandCalls();
  const other = target.kind === "noLink" ? undefined : session.organizations.find(({ id }) => id === target.organization);
  // The banner above the screen is behind this dialog.
  const shownError = error ?? (target.kind === "notGranted" ? signIn.error : null);
  const open = (address: string) =>
    run(async () => {
      await call(commands.openLink(address));
      onClose();
    });
  const words = () => {
    switch (target.kind) {
      case "otherOrganization":
        return t("link-other-organization", { other: other?.name ?? target.organization, organization: current.name });
      case "notGranted":
        return t("link-not-granted", {
          organization: target.organization,
          environment: environmentName(session.environment, localizer),
        });
      case "noLink":
        return t("link-malformed");
    }
  };
  return (
    <Modal
      title={t(`link-title-${target.kind}`)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t(target.kind === "otherOrganization" ? "cancel" : "close")}</Button>
          {target.kind === "otherOrganization" && (
            <Button variant="primary" autoFocus onPress={() => void open(target.address)}>
              {t("link-open-there", { organization: other?.name ?? target.organization })}
            </Button>
          )}
          {target.kind === "notGranted" && (
            <Button variant="primary" autoFocus onPress={signIn.refreshOrganizations}>
              {t("act-refreshOrganizations")}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {other && (
          <p className="flex items-center gap-2.5">
            <OrganizationBadge organization={other} />
            <NameText className="font-semibold">{other.name}</NameText>
          </p>
        )}
        <p>{words()}</p>
        {shownError && <ErrorNotice error={shownError} variant="card" />}
      </div>
    </Modal>
  );
}
