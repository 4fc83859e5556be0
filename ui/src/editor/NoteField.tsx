/** A remark for the buyer. */

import { TextField } from "../parts/Field";
import { useWords } from "../words/WordsProvider";
import { type FieldsProps, Place } from "./HeaderFields";

export function NoteField({ content, typed, isDisabled }: FieldsProps) {
  const { t } = useWords();
  return (
    <Place field="note">
      <TextField
        label={t("field-note")}
        name="note"
        multiline
        value={content.note}
        onChange={(text) => typed("note", text)}
        isDisabled={isDisabled}
      />
    </Place>
  );
}
