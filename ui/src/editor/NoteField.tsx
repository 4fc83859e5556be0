/** The note to the buyer, and the same in Arabic (decision 0149): in an Arabic window that one comes first, as the other Arabic texts do. */

import { memo } from "react";
import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { FieldAnchor, type FieldsProps } from "./HeaderFields";

export interface NoteFieldProps extends Omit<FieldsProps, "content"> {
  note: string;
  noteAr: string;
}

export const NoteField = memo(function NoteField({ note, noteAr, onFieldChange, isDisabled }: NoteFieldProps) {
  const { t, language } = useLocalizer();
  const anyLanguage = (
    <FieldAnchor field="note">
      <TextField
        label={t("field-note")}
        name="note"
        multiline
        value={note}
        onChange={(text) => onFieldChange("note", text)}
        isDisabled={isDisabled}
      />
    </FieldAnchor>
  );
  const arabic = (
    <FieldAnchor field="noteAr">
      <TextField
        label={t("field-note-ar")}
        name="noteAr"
        multiline
        dir="rtl"
        value={noteAr}
        onChange={(text) => onFieldChange("noteAr", text)}
        isDisabled={isDisabled}
      />
    </FieldAnchor>
  );
  return (
    <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
      {language === "ar" ? arabic : anyLanguage}
      {language === "ar" ? anyLanguage : arabic}
    </div>
  );
});
