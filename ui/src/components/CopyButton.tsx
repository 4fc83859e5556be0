/** Button that copies a text to the clipboard, and shows and announces the result. */

import { Check, CircleX, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { announce } from "./announce";
import { Button, type ButtonProps, IconButton } from "./Button";
import { copyText } from "./clipboard";

type CopyResult = "copied" | "failed";

/** How long each is shown. Who does not see that it failed goes on as if the text were copied. */
const SHOWN_MS: Record<CopyResult, number> = { copied: 2_000, failed: 10_000 };

/** What takes the place of a button's own icon. */
export const copyResultIcons = { copied: Check, failed: CircleX };

/** Copies a text, and announces the result in these words. */
export function useCopy(
  text: string | (() => string),
  words?: { copied: string; failed: string },
): { result: CopyResult | null; copy: () => void } {
  const { t } = useLocalizer();
  const [result, setResult] = useState<CopyResult | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), SHOWN_MS[result]);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const succeeded = await copyText(typeof text === "string" ? text : text());
    setResult(succeeded ? "copied" : "failed");
    announce(succeeded ? (words?.copied ?? t("copied")) : (words?.failed ?? t("not-copied")));
  };
  return { result, copy: () => void copy() };
}

export function CopyButton({
  text,
  label,
  ...props
}: Omit<ButtonProps, "children" | "icon" | "onPress"> & { text: string | (() => string); label: string }) {
  const { t } = useLocalizer();
  const { result, copy } = useCopy(text);
  const Icon = result ? copyResultIcons[result] : Copy;
  return (
    <Button {...props} onPress={copy} icon={<Icon size={14} aria-hidden="true" />}>
      {result === null ? label : t(result === "copied" ? "copied" : "not-copied")}
    </Button>
  );
}

export function CopyIconButton({ text, label, autoFocus = false }: { text: string; label: string; autoFocus?: boolean }) {
  const { result, copy } = useCopy(text);
  const Icon = result ? copyResultIcons[result] : Copy;
  return (
    <>
      <CopyFailure result={result} />
      <IconButton label={label} autoFocus={autoFocus} onPress={copy} icon={<Icon size={14} aria-hidden="true" />} />
    </>
  );
}

/** Says beside a button of an icon alone that nothing was copied. */
export function CopyFailure({ result }: { result: CopyResult | null }) {
  const { t } = useLocalizer();
  return result === "failed" && <span className="text-danger text-xs">{t("not-copied")}</span>;
}
