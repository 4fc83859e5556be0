/** React error boundary of the window: a message and a reload button in place of a screen that failed to render. */

import { Component, type ReactNode } from "react";
import { Button } from "../components/Button";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";

export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <ErrorPage /> : this.props.children;
  }
}

function ErrorPage() {
  const { t } = useLocalizer();
  return (
    <main className="flex h-full bg-canvas">
      <Notice
        severity="error"
        variant="page"
        text={t("render-error")}
        buttons={
          <Button variant="primary" onPress={() => location.reload()} autoFocus>
            {t("reload-window")}
          </Button>
        }
      />
    </main>
  );
}
