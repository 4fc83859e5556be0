/** Button that brings the window to the front in which a draft is edited. */

import { useState } from "react";
import { Button } from "../components/Button";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { showWindowOfDraft } from "./showWindowOfDraft";

export function GoToWindowButton({ draft, first }: { draft: string; first: boolean }) {
  const { t } = useLocalizer();
  const [gone, setGone] = useState(false);
  if (gone) return <span role="status">{t("window-of-draft-gone")}</span>;
  return (
    <Button
      size="sm"
      variant={first ? "primary" : "secondary"}
      onPress={() => void showWindowOfDraft(draft).then((shown) => setGone(!shown))}
    >
      {t("act-goToWindow")}
    </Button>
  );
}
