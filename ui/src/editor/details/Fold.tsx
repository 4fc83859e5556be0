/** The line of a fold: its name, what is in it while it is closed, and how many mistakes it has. */

import { ChevronRight, CircleAlert } from "lucide-react";
import { Button } from "react-aria-components";
import { Separator } from "../../components/BidiText";
import { useLocalizer } from "../../i18n/LocalizerProvider";

export interface FoldProps {
  label: string;
  /** Id of what it opens. */
  controls: string;
  /** What is in it; none if it is empty. */
  held: readonly string[];
  errors: number;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Fold({ label, controls, held, errors, isOpen, onOpenChange }: FoldProps) {
  const { t } = useLocalizer();
  return (
    <Button
      aria-expanded={isOpen}
      {...(isOpen ? { "aria-controls": controls } : {})}
      onPress={() => onOpenChange(!isOpen)}
      className="flex min-h-8 w-full min-w-0 items-center gap-2 rounded-md px-2 text-start text-fg-2 data-[hovered]:bg-sunken data-[hovered]:text-fg"
    >
      <ChevronRight size={14} aria-hidden="true" className={`shrink-0 ${isOpen ? "rotate-90" : "mirror-in-rtl"}`} />
      <span className="min-w-0 shrink-0 font-semibold max-narrow:shrink">{label}</span>
      {errors > 0 && (
        <span className="inline-flex shrink-0 items-center gap-1 text-danger text-xs">
          <CircleAlert size={13} aria-hidden="true" />
          {t("more-errors", { count: errors })}
        </span>
      )}
      {!isOpen && held.length > 0 && (
        <span className="min-w-0 truncate text-fg text-xs">
          {held.map((text, index) => (
            // Two fields can hold the same text, and the list is short.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index}>
              {index > 0 && <Separator />}
              <bdi>{text}</bdi>
            </span>
          ))}
        </span>
      )}
    </Button>
  );
}
