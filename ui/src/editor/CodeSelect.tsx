/** A choice among codes: the common ones at once, and all others of the list by the last choice. */

import { useRef, useState } from "react";
import { keepFocus } from "../components/keepFocus";
import { lazyDialog } from "../components/lazyComponent";
import { type Choice, Select, type SelectProps } from "../components/Select";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { type CodeList, commonChoices, hasOthers } from "./codeLists";

const CodeDialog = lazyDialog(async () => (await import("./CodeDialog")).CodeDialog);

/** Stands for the last choice. No code has a space. */
const OTHER = "another code";

export interface CodeSelectProps extends Omit<SelectProps<string>, "choices"> {
  list: CodeList;
  /** The choice of no code, where there may be none. */
  none?: Choice<string> | undefined;
}

export function CodeSelect({ list, none, ...field }: CodeSelectProps) {
  const localizer = useLocalizer();
  const { label, value, onChange } = field;
  const [isSearched, setSearched] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const choices = [
    ...(none ? [none] : []),
    ...commonChoices(list, value, localizer),
    ...(hasOthers(list) ? [{ id: OTHER, label: localizer.t("another-code") }] : []),
  ];
  const close = () => {
    setSearched(false);
    // The choice that had the focus before the dialog is gone.
    keepFocus(() => box.current?.querySelector("button") ?? null);
  };
  const choose = (code: string) => {
    close();
    onChange(code);
  };
  return (
    <div ref={box} className="contents">
      <Select
        {...field}
        choices={choices}
        onChange={(code) => {
          if (code === OTHER) setSearched(true);
          else onChange(code);
        }}
      />
      <CodeDialog isOpen={isSearched} label={label} list={list} onChoose={choose} onClose={close} />
    </div>
  );
}
