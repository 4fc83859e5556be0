/** Says that the window shows another organization than before, because the user has no role in that one any more. */

import { useState } from "react";
import { Button } from "../components/Button";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useWindowSignIn } from "../session/windowSignIn";
import { useWorkspace } from "../state/workspace";

export function LostOrganization({ name }: { name: string }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const signIn = useWindowSignIn();
  const [acknowledged, setAcknowledged] = useState(false);
  if (acknowledged) return null;
  return (
    <Notice
      severity="info"
      variant="banner"
      text={t("organization-lost", { lost: name, organization: organization.name })}
      buttons={
        <>
          <Button size="sm" onPress={() => setAcknowledged(true)}>
            {t("organization-lost-understood")}
          </Button>
          <Button size="sm" onPress={signIn.refreshOrganizations}>
            {t("act-refreshOrganizations")}
          </Button>
        </>
      }
    />
  );
}
