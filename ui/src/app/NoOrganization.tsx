/** In place of the shell for somebody without an organization. */

import { Button } from "../components/Button";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { SignInLayout } from "../session/SignInLayout";
import { useSignIn } from "../session/useSignIn";

export function NoOrganization() {
  const { t } = useLocalizer();
  const signIn = useSignIn();
  return (
    <SignInLayout>
      <p className="text-md">{t("no-organizations")}</p>
      {signIn.error && <ErrorNotice error={signIn.error} variant="card" />}
      <SignInAgain onRefresh={signIn.refreshOrganizations} onSignOut={signIn.signOut} />
    </SignInLayout>
  );
}

function SignInAgain({ onRefresh, onSignOut }: { onRefresh: () => void; onSignOut: () => void }) {
  const { t } = useLocalizer();
  return (
    <div className="flex gap-2">
      <Button variant="primary" onPress={onRefresh}>
        {t("act-refreshOrganizations")}
      </Button>
      <Button onPress={onSignOut}>{t("sign-out")}</Button>
    </div>
  );
}
