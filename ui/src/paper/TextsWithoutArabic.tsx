/** Says beside a paper with Arabic which of its texts are not in Arabic, and leads to their fields. It keeps nobody from printing. */

import { fieldName } from "../editor/fields";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceContent } from "../ipc/bindings";
import { useWorkspace } from "../state/workspace";
import { usePaperChoices } from "./paperChoices";
import { fieldsWithoutArabic, isSellerWithoutArabic } from "./withoutArabic";

/** A document can have a thousand lines. */
const MOST_SHOWN = 5;

export interface TextsWithoutArabicProps {
  content: InvoiceContent;
  /** Of the seller, ISO 3166-1 alpha-2; empty if it is not known. */
  country: string;
  /** Moves the focus to a field. Without it the names are no buttons. */
  onGo?: ((field: string) => void) | undefined;
}

export function TextsWithoutArabic({ content, country, onGo }: TextsWithoutArabicProps) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const { language } = usePaperChoices();
  const fields = fieldsWithoutArabic(content);
  const isSeller = isSellerWithoutArabic(organization);
  if (language === "english" || (fields.length === 0 && !isSeller)) return null;
  const shown = fields.slice(0, MOST_SHOWN);
  return (
    <div className="shrink-0 border-line border-b px-3 py-1.5">
      {/* It follows what is typed, and is not to be read out with each letter. */}
      <Notice
        severity="info"
        variant="inline"
        about={null}
        text={t(country === "SA" ? "paper-without-arabic-saudi" : "paper-without-arabic")}
      >
        <ul className="flex flex-wrap gap-x-3">
          {isSeller && <li className="py-1">{t("paper-seller-name")}</li>}
          {shown.map((field) => (
            <li key={field}>
              {onGo ? (
                <button
                  type="button"
                  onClick={() => onGo(field)}
                  className="min-h-6 rounded-sm text-start underline underline-offset-2 hover:no-underline"
                >
                  <bdi>{fieldName(field, localizer)}</bdi>
                </button>
              ) : (
                <bdi>{fieldName(field, localizer)}</bdi>
              )}
            </li>
          ))}
          {fields.length > shown.length && (
            <li className="py-1">{t("paper-more-texts", { count: fields.length - shown.length })}</li>
          )}
        </ul>
      </Notice>
    </div>
  );
}
