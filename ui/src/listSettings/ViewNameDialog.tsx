/** The name of a view that is saved or renamed. */

import { type FormEvent, useState } from "react";
import { Button } from "../components/Button";
import { DiscardQuestionText } from "../components/DiscardQuestionText";
import { TextField } from "../components/Field";
import { Modal } from "../components/Modal";
import { useDiscardQuestion } from "../components/useDiscardQuestion";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { DatePreset } from "../invoices/datePresets";

/** Longer names do not fit beside others. */
const MAX_NAME = 40;

export interface ViewNameDialogProps {
  /** Empty for a new view. */
  name: string;
  /** The periods of its filter that follow the calendar. */
  periods: readonly DatePreset["id"][];
  onSave: (name: string) => void;
  onClose: () => void;
}

export function ViewNameDialog({ name, periods, onSave, onClose }: ViewNameDialogProps) {
  const { t, format } = useLocalizer();
  const [typed, setTyped] = useState(name);
  const { asking, close, keep } = useDiscardQuestion(typed !== name, onClose);
  const change = (text: string) => {
    keep();
    setTyped(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== "") onSave(typed.trim());
  };
  return (
    <Modal title={t(name === "" ? "view-save" : "view-rename")} isOpen onClose={close}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t("view-name")}
          hint={t("view-hint")}
          value={typed}
          onChange={change}
          maxLength={MAX_NAME}
          autoFocus
          isRequired
        />
        {periods.length > 0 && (
          <p className="text-fg-2">{t("view-follows", { period: format.list(periods.map((id) => t(`preset-${id}`))) })}</p>
        )}
        {asking && <DiscardQuestionText />}
        <div className="flex justify-end gap-2">
          <Button onPress={close}>{t(asking ? "form-discard" : "cancel")}</Button>
          <Button variant="primary" type="submit" isDisabled={typed.trim() === ""}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
