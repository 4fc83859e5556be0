/** A button in the line of a bulk run or of an export. Several lines have the same buttons: the name says of which one it is. */

import { Button, type ButtonProps } from "../components/Button";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";

export interface LineButtonProps extends Omit<ButtonProps, "size" | "children" | "aria-label"> {
  text: string;
  /** The name of the run, or of the file. */
  run: string;
}

export function LineButton({ text, run, ...props }: LineButtonProps) {
  const { t } = useLocalizer();
  return (
    <Button {...props} size="sm" aria-label={plainText(t("run-button", { button: text, run }))}>
      {text}
    </Button>
  );
}
