/** Button that copies a text to the clipboard and announces the result. */

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { announce } from "./announce";
import { Button, type ButtonProps, IconButton } from "./Button";
import { copyText } from "./clipboard";

const COPIED_MS = 2000;

/** Copies a text, and announces the result in these words. */
export function useCopy(
  text: string | (() => string),
  words?: { copied: string; failed: string },
): { copied: boolean; copy: () => void } {
  const { t } = useLocalizer();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const succeeded = await copyText(typeof text === "string" ? text : text());
    setCopied(succeeded);
    announce(succeeded ? (words?.copied ?? t("copied")) : (words?.failed ?? t("not-copied")));
  };
  return { copied, copy: () => void copy() };
}

export function CopyButton({
  text,
  label,
  ...props
}: Omit<ButtonProps, "children" | "icon" | "onPress"> & { text: string | (() => string); label: string }) {
  const { t } = useLocalizer();
  const { copied, copy } = useCopy(text);
  const Icon = copied ? Check : Copy;
  return (
    <Button {...props} onPress={copy} icon={<Icon size={14} aria-hidden="true" />}>
      {copied ? t("copied") : label}
    </Button>
  );
}

export function CopyIconButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  const Icon = copied ? Check : Copy;
  return <IconButton label={label} onPress={copy} icon={<Icon size={14} aria-hidden="true" />} />;
}
