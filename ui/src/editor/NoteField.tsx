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
  const field = (name: "note" | "noteAr", value: string) => (
    // With a key: who changes the language while typing goes on in the same note.
    <FieldAnchor key={name} field={name}>
      <TextField
        label={t(name === "note" ? "field-note" : "field-note-ar")}
        name={name}
        multiline
        {...(name === "noteAr" ? { dir: "rtl" as const } : {})}
        value={value}
        onChange={(text) => onFieldChange(name, text)}
        isDisabled={isDisabled}
      />
    </FieldAnchor>
  );
  const fields = [field("note", note), field("noteAr", noteAr)];
  return (
    <div data-region="" className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
      {language === "ar" ? fields.toReversed() : fields}
    </div>
  );
});
