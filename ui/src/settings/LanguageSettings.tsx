/** Language, digits, calendar and currency signs, with a sample of what they give. */

import { NumericText } from "../components/BidiText";
import { RadioChoices } from "../components/RadioChoices";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { usePreferences } from "../state/usePreferences";

export function LanguageSettings() {
  const { t, language } = useLocalizer();
  const { preferences, change } = usePreferences();
  return (
    <>
      <RadioChoices
        label={t("language")}
        hint={t("settings-language-hint")}
        value={preferences.language ?? "system"}
        onChange={(chosen) => change({ language: chosen === "system" ? null : chosen })}
        choices={[
          { id: "system", label: t("theme-system") },
          { id: "en", label: <span lang="en">English</span> },
          { id: "ar", label: <span lang="ar">العربية</span> },
        ]}
      />
      <RadioChoices
        label={t("digits")}
        {...(language === "en" ? { hint: t("settings-digits-hint") } : {})}
        value={preferences.digits}
        onChange={(digits) => change({ digits })}
        choices={[
          { id: "latin", label: <bdi dir="ltr">{t("digits-latin")}</bdi> },
          { id: "arabic", label: <bdi dir="ltr">{t("digits-arabic")}</bdi> },
        ]}
      />
      <RadioChoices
        label={t("settings-calendar")}
        hint={t("settings-calendar-hint")}
        value={preferences.calendar}
        onChange={(calendar) => change({ calendar })}
        choices={[
          { id: "gregorian", label: t("calendar-gregorian") },
          { id: "ummAlQura", label: t("calendar-ummAlQura") },
        ]}
      />
      <RadioChoices
        label={t("settings-currency")}
        hint={t("settings-currency-hint")}
        value={preferences.currency}
        onChange={(currency) => change({ currency })}
        choices={[
          { id: "code", label: t("currency-code") },
          { id: "sign", label: t("currency-sign") },
        ]}
      />
      <Sample />
    </>
  );
}

function Sample() {
  const { t, format } = useLocalizer();
  const today = new Date();
  const date = `${today.getFullYear()}-11-14`;
  return (
    <section aria-label={t("settings-sample")} className="rounded-md border border-line bg-canvas">
      <h3 className="border-line border-b px-3 py-1.5 font-semibold text-fg-2 text-xs">{t("settings-sample")}</h3>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-2 px-3 py-2.5">
        <span>{format.date(date)}</span>
        <NumericText>{format.percent("15")}</NumericText>
        <NumericText className="font-semibold">{format.money("23000.00", "SAR")}</NumericText>
        <NumericText className="font-semibold">{format.money("-812.375", "KWD")}</NumericText>
        <NumericText className="font-semibold">{format.money("1500", "EUR")}</NumericText>
      </div>
    </section>
  );
}
