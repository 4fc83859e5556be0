/** Leads from a refusal that names the seller to its details, or says who can change them. */

import { Button } from "../components/Button";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { usePermissions } from "../queries/permissionsQuery";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";

export function OwnTenantHint() {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { navigate } = useNavigation();
  if (usePermissions()?.ownTenant !== true) return <p>{t("own-tenant-ask", { organization: organization.name })}</p>;
  return (
    <div>
      <Button size="sm" onPress={() => navigate({ name: "administration", section: "ownTenant" })}>
        {t("own-tenant-open")}
      </Button>
    </div>
  );
}
