/** The check of the connection, and the report for support. */

import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useWorkspace } from "../state/workspace";
import { ConnectionCheck } from "../support/ConnectionCheck";
import { SupportPacket } from "../support/SupportPacket";

export function ConnectionSettings() {
  const localizer = useLocalizer();
  const { environment } = useWorkspace().session;
  return (
    <>
      <ConnectionCheck environment={environment.name} label={environmentName(environment, localizer)} />
      <SupportPacket />
    </>
  );
}
