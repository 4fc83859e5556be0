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
      <div className="flex gap-2">
        <Button variant="primary" onPress={signIn.refreshOrganizations}>
          {t("act-refreshOrganizations")}
        </Button>
        <Button onPress={signIn.signOut}>{t("sign-out")}</Button>
      </div>
    </SignInLayout>
  );
}
