/** The note to the buyer. */

import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { FieldAnchor, type FieldsProps } from "./HeaderFields";

export function NoteField({ content, onFieldChange, isDisabled }: FieldsProps) {
  const { t } = useLocalizer();
  return (
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
  );
}
