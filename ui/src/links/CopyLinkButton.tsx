/** Copies the link to the document that is shown. */

import { Link } from "lucide-react";
import { IconButton } from "../components/Button";
import { CopyFailure, copyResultIcons, useCopy } from "../components/CopyButton";
import { useShortcut } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useWorkspace } from "../state/workspace";
import { documentLink } from "./documentLink";

export function CopyLinkButton({ document }: { document: string }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { result, copy } = useCopy(documentLink(organization.id, document), {
    copied: t("link-copied"),
    failed: t("not-copied"),
  });
  useShortcut("copyLink", copy);
  const Icon = result ? copyResultIcons[result] : Link;
  return (
    <>
      <CopyFailure result={result} />
      <IconButton label={t("key-copy-link")} icon={<Icon size={16} aria-hidden="true" />} onPress={copy} />
    </>
  );
}
