/** Opens further windows, and says what concerns the window: an organization that is gone, and what a shortcut or an entry could not do. */

import { Suspense } from "react";
import { Button } from "../components/Button";
import { lazyComponent } from "../components/lazyComponent";
import { useShortcut } from "../components/shortcuts";
import { ErrorNotice } from "../errors/ErrorNotice";
import { showWindowError, useWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useSnapshot } from "../state/snapshotStore";
import { useWorkspace } from "../state/workspace";
import { requestWindow } from "./requestedWindow";

const AdministrationError = lazyComponent(
  async () => (await import("../administration/AdministrationError")).AdministrationError,
);
const LostOrganization = lazyComponent(async () => (await import("./LostOrganization")).LostOrganization);

export function WindowBanners() {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const lost = useSnapshot()?.lostOrganization ?? null;
  const shown = useWindowError();
  const close = (
    <Button size="sm" variant="quiet" onPress={() => showWindowError(null)}>
      {t("close")}
    </Button>
  );
  useShortcut("newWindow", () => requestWindow(organization.id));
  return (
    <>
      {lost !== null && (
        <Suspense>
          <LostOrganization key={lost} name={lost} />
        </Suspense>
      )}
      {shown?.words === "documents" && (
        <ErrorNotice error={shown.error} variant="banner">
          {close}
        </ErrorNotice>
      )}
      {shown?.words === "administration" && (
        <Suspense>
          <AdministrationError error={shown.error} variant="banner">
            {close}
          </AdministrationError>
        </Suspense>
      )}
    </>
  );
}
