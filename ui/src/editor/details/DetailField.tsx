/** Fields of the details: a text, a date, or a code with its words, each at its path. */

import { DateField } from "../../components/DateField";
import { TextField } from "../../components/Field";
import { type Choice, Select } from "../../components/Select";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import { CodeSelect } from "../CodeSelect";
import type { CodeList } from "../codeLists";
import { FieldAnchor } from "../HeaderFields";
import { detailLabel } from "./detailLabels";

export interface DetailFieldProps {
  path: string;
  value: string;
  onFieldChange: (path: string, text: string) => void;
  isDisabled: boolean;
  className?: string;
}

/** The label of a field below a document or a line. */
function useDetailLabel(path: string): string {
  return detailLabel(path, useLocalizer()) ?? path;
}

export interface DetailTextProps extends DetailFieldProps {
  numeric?: boolean;
  multiline?: boolean;
  dir?: "ltr" | "rtl";
  hint?: string | undefined;
}

export function DetailText({ path, value, onFieldChange, isDisabled, className = "", hint, ...options }: DetailTextProps) {
  const label = useDetailLabel(path);
  return (
    <FieldAnchor field={path} className={className}>
      <TextField
        {...options}
        {...(hint === undefined ? {} : { hint })}
        label={label}
        name={path}
        value={value}
        onChange={(text) => onFieldChange(path, text)}
        isDisabled={isDisabled}
      />
    </FieldAnchor>
  );
}

export function DetailDate({ path, value, onFieldChange, isDisabled }: DetailFieldProps) {
  const label = useDetailLabel(path);
  return (
    <FieldAnchor field={path}>
      <DateField
        label={label}
        name={path}
        value={value}
        onChange={(date) => onFieldChange(path, date)}
        keepsUnfinished
        isDisabled={isDisabled}
      />
    </FieldAnchor>
  );
}

export interface DetailChoiceProps extends DetailFieldProps {
  choices: readonly Choice<string>[];
}

export function DetailChoice({ path, value, onFieldChange, isDisabled, choices, className = "" }: DetailChoiceProps) {
  const label = useDetailLabel(path);
  return (
    <FieldAnchor field={path} className={className}>
      <Select
        label={label}
        name={path}
        value={value}
        choices={choices}
        onChange={(code) => onFieldChange(path, code)}
        isDisabled={isDisabled}
      />
    </FieldAnchor>
  );
}

export interface DetailCodeProps extends DetailFieldProps {
  list: CodeList;
  /** The choice of no code, where there may be none. */
  none?: Choice<string>;
}

export function DetailCode({ path, value, onFieldChange, isDisabled, list, none, className = "" }: DetailCodeProps) {
  const label = useDetailLabel(path);
  return (
    <FieldAnchor field={path} className={className}>
      <CodeSelect
        label={label}
        name={path}
        value={value}
        list={list}
        none={none}
        onChange={(code) => onFieldChange(path, code)}
        isDisabled={isDisabled}
      />
    </FieldAnchor>
  );
}
