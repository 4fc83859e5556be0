/** A template in the list, and the form of its name. */

import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { NumericText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { DiscardQuestionText } from "../components/DiscardQuestionText";
import { TextField } from "../components/Field";
import { type FormDiscardQuestion, useTypedInForm } from "../components/useDiscardQuestion";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { TemplateView } from "../ipc/bindings";

export interface TemplateRowProps {
  template: TemplateView;
  busy: boolean;
  onUse: () => void;
  onEdit: (what: "name" | "schedule") => void;
  onRemove: () => void;
}

export function TemplateRow({ template, busy, onUse, onEdit, onRemove }: TemplateRowProps) {
  const { t, format, language } = useLocalizer();
  const name = template.name === "" ? t("template-unnamed") : template.name;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-48 flex-1">
        <span className="block break-words font-semibold">
          <bdi>{name}</bdi>
        </span>
        <span className="flex flex-wrap items-center text-fg-2 text-xs">
          <bdi>{localizedText(template.buyer, language) || t("no-buyer-yet")}</bdi>
          {template.gross !== null && (
            <>
              <Separator />
              <NumericText>{format.money(template.gross, template.currency)}</NumericText>
            </>
          )}
        </span>
        {template.schedule && (
          <span className="flex items-center gap-1 text-fg-2 text-xs">
            <CalendarClock size={12} aria-hidden="true" />
            {t(`frequency-${template.schedule.frequency}`)}
            <Separator />
            {template.next === null ? t("schedule-ended") : t("schedule-next", { date: format.date(template.next) })}
          </span>
        )}
      </span>
      <span className="flex flex-wrap gap-1">
        <Button data-template-use size="sm" isBusy={busy} aria-label={t("template-use-of", { name })} onPress={onUse}>
          {t("template-use")}
        </Button>
        <Button
          data-template-edit="schedule"
          size="sm"
          variant="quiet"
          aria-label={t("template-schedule-of", { name })}
          onPress={() => onEdit("schedule")}
        >
          {t("template-schedule")}
        </Button>
        <Button
          data-template-edit="name"
          size="sm"
          variant="quiet"
          aria-label={t("template-rename-of", { name })}
          onPress={() => onEdit("name")}
        >
          {t("template-rename")}
        </Button>
        <Button size="sm" variant="quiet" aria-label={t("template-remove-of", { name })} onPress={onRemove}>
          {t("template-remove")}
        </Button>
      </span>
    </div>
  );
}

export interface TemplateNameFormProps {
  name: string;
  /** Of the dialog that it is in. */
  question: FormDiscardQuestion;
  onSave: (name: string) => void;
  onClose: () => void;
}

export function TemplateNameForm({ name, question, onSave, onClose }: TemplateNameFormProps) {
  const { t } = useLocalizer();
  const [typed, setTyped] = useState(name);
  useTypedInForm(typed !== name, question);
  const { asking, keep, leave } = question;
  const change = (text: string) => {
    keep();
    setTyped(text);
  };
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
        onSave(typed);
      }}
    >
      <div className="min-w-48 flex-1">
        <TextField label={t("template-name")} value={typed} onChange={change} maxLength={120} autoFocus />
      </div>
      <Button type="submit" variant="primary">
        {t("save")}
      </Button>
      <Button onPress={() => leave(onClose)}>{t(asking ? "form-discard" : "cancel")}</Button>
      {asking && <DiscardQuestionText />}
    </form>
  );
}
