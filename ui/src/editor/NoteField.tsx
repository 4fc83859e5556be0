/** The note to the buyer, and the same in Arabic (decision 0149). */

import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { FieldAnchor, type FieldsProps } from "./HeaderFields";

export function NoteField({ content, onFieldChange, isDisabled }: FieldsProps) {
  const { t } = useLocalizer();
  return (
    <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
      <FieldAnchor field="note">
        <TextField
          label={t("field-note")}
          name="note"
          multiline
          value={content.note}
          onChange={(text) => onFieldChange("note", text)}
          isDisabled={isDisabled}
        />
      </FieldAnchor>
      <FieldAnchor field="noteAr">
        <TextField
          label={t("field-note-ar")}
          name="noteAr"
          multiline
          dir="rtl"
          value={content.noteAr}
          onChange={(text) => onFieldChange("noteAr", text)}
          isDisabled={isDisabled}
        />
      </FieldAnchor>
    </div>
  );
}
