/** The invoice files of several that were not opened yet, while somebody works on a draft of one before them. */

import { Button } from "../components/Button";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useInvoiceFiles } from "./invoiceFilesContext";

/** Names that are listed. */
const SHOWN_NAMES = 5;

export function FilesLeft() {
  const { t, format } = useLocalizer();
  const { unopened, openNext, forget } = useInvoiceFiles();
  const count = unopened.length;
  if (count === 0) return null;
  const names = unopened.slice(0, SHOWN_NAMES).map((file) => (file instanceof File ? file.name : t("import-unread-file")));
  const files = format.list(count > names.length ? [...names, t("import-more-files", { count: count - names.length })] : names);
  return (
    <Notice
      severity="info"
      variant="banner"
      text={t("import-left", { count, files })}
      buttons={
        <>
          <Button size="sm" variant="primary" onPress={openNext}>
            {t("import-next")}
          </Button>
          <Button size="sm" onPress={forget}>
            {t("import-forget")}
          </Button>
        </>
      }
    />
  );
}
