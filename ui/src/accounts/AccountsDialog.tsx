/** Dialog with the accounts of this computer, and the sign-in with another one in any environment. */

import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { Select } from "../components/Select";
import { environmentsQuery } from "../environments/environmentsQuery";
import { ErrorNotice } from "../errors/ErrorNotice";
import { environmentName } from "../i18n/environmentName";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useSignIn } from "../session/useSignIn";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { AccountList } from "./AccountList";
import { RememberMe } from "./RememberMe";

export function AccountsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useLocalizer();
  return (
    <Modal title={t("accounts-title")} isOpen={isOpen} onClose={onClose} width="md">
      <Accounts onSwitched={onClose} />
    </Modal>
  );
}

/** The list of the accounts, and the sign-in with another one. */
export function Accounts({ onSwitched }: { onSwitched?: () => void }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { flushAutosaves } = useNavigation();
  const { session } = useWorkspace();
  const signIn = useSignIn();
  const environments = useQuery(environmentsQuery);
  const [environment, setEnvironment] = useState(session.environment.name);
  const [remember, setRemember] = useState(true);
  const start = () =>
    void flushAutosaves().then(
      () => signIn.start(environment, remember),
      () => undefined,
    );
  return (
    <div className="flex flex-col gap-5">
      <AccountList beforeSwitch={flushAutosaves} {...(onSwitched ? { onSwitched } : {})} />
      <section aria-label={t("account-another")} className="flex flex-col gap-3">
        <h3 className="font-semibold">{t("account-another")}</h3>
        {signIn.error && <ErrorNotice error={signIn.error} variant="card" />}
        <Select
          label={t("environment")}
          value={environment}
          onChange={setEnvironment}
          choices={(environments.data ?? [session.environment]).map((choice) => ({
            id: choice.name,
            label: environmentName(choice, localizer),
          }))}
        />
        <RememberMe value={remember} onChange={setRemember} />
        <div>
          <Button
            variant="primary"
            isBusy={signIn.busy}
            onPress={start}
            icon={<ArrowUpRight size={16} aria-hidden="true" className="mirror-in-rtl" />}
          >
            {t("account-another-start")}
          </Button>
        </div>
      </section>
    </div>
  );
}
