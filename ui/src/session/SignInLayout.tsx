/** Layout of the screens before sign-in: product name, content, language button. */

import type { ReactNode } from "react";
import mark from "../../../icons/app.svg";
import { Button } from "../components/Button";
import { useShortcut } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { usePreferences } from "../state/usePreferences";

export function SignInLayout({ children }: { children: ReactNode }) {
  const { t, language } = useLocalizer();
  const { change } = usePreferences();
  const other = language === "ar" ? "en" : "ar";
  useShortcut("language", () => change({ language: other }));
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <div className="h-[3px] shrink-0 bg-accent" />
      <main className="mx-auto mt-[12vh] mb-auto flex w-full max-w-120 flex-col gap-6 px-4 py-10">
        <header className="flex items-center gap-3">
          <img src={mark} width="36" height="36" alt="" className="shrink-0" />
          <div>
            <p className="font-semibold text-md">{t("product")}</p>
            <p className="text-fg-2 text-xs">{t("product-line")}</p>
          </div>
        </header>
        {children}
      </main>
      <footer className="flex shrink-0 justify-center gap-2 p-4">
        {/* The label is in the language that the button selects. */}
        <Button variant="quiet" size="sm" onPress={() => change({ language: other })}>
          <span lang={other}>{other === "ar" ? "العربية" : "English"}</span>
        </Button>
      </footer>
    </div>
  );
}
