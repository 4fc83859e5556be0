/** Form for the local alias of an organization, in place of the name that the service tells. */

import { type FormEvent, useState } from "react";
import { Button } from "../components/Button";
import { DiscardQuestionText } from "../components/DiscardQuestionText";
import { TextField } from "../components/Field";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { type FormDiscardQuestion, useTypedInForm } from "../components/useDiscardQuestion";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, OrganizationView } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";

export interface AliasFormProps {
  organization: OrganizationView;
  /** Of the dialog that it is in. */
  question: FormDiscardQuestion;
  onDone: () => void;
}

export function AliasForm({ organization, question, onDone }: AliasFormProps) {
  const { t } = useLocalizer();
  const [opened] = useState(organization.aliased ? organization.name : "");
  const [alias, setAlias] = useState(opened);
  const [error, setError] = useState<CommandError | null>(null);
  const showError = useShowError();
  useTypedInForm(alias !== opened, question);
  const { asking, keep, leave } = question;
  const change = (text: string) => {
    keep();
    setAlias(text);
  };
  const save = async (name: string | null) => {
    setError(null);
    keep();
    try {
      await call(commands.setOrganizationAlias(organization.id, name));
      onDone();
    } catch (thrown) {
      showError(commandError(thrown), setError);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(alias.trim() === "" ? null : alias.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <OrganizationBadge organization={organization} size="lg" />
        <bdi dir="ltr">{organization.domain}</bdi>
      </div>
      <TextField label={t("alias")} hint={t("alias-hint")} value={alias} onChange={change} autoFocus />
      {error && <ErrorNotice error={error} variant="card" />}
      {asking && <DiscardQuestionText />}
      <div className="flex justify-end gap-2">
        {organization.aliased && (
          <Button variant="quiet" onPress={() => void save(null)}>
            {t("alias-remove")}
          </Button>
        )}
        <Button onPress={() => leave(onDone)}>{t(asking ? "form-discard" : "cancel")}</Button>
        <Button variant="primary" type="submit">
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
