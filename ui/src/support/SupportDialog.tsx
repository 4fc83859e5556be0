/** Dialog with the check of the connection and the report for support. It needs no session. */

import { Modal } from "../components/Modal";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { EnvironmentView } from "../ipc/bindings";
import { ConnectionCheck } from "./ConnectionCheck";
import { SupportPacket } from "./SupportPacket";

export function SupportDialog({
  environment,
  isOpen,
  onClose,
}: {
  environment: EnvironmentView;
  isOpen: boolean;
  onClose: () => void;
}) {
  const localizer = useLocalizer();
  return (
    <Modal title={localizer.t("help-title")} isOpen={isOpen} onClose={onClose} width="lg">
      <div className="flex flex-col gap-6">
        <ConnectionCheck environment={environment.name} label={environmentName(environment, localizer)} />
        <SupportPacket />
      </div>
    </Modal>
  );
}
