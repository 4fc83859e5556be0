/** Instead of a blank window: what to do when drawing it has failed. That is our mistake, and nothing typed goes with it. */

import { Component, type ReactNode } from "react";
import { Button } from "../components/Button";
import { Notice } from "../errors/ErrorNotice";
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
    <main className="flex h-full bg-paper">
      <Notice
        severity="error"
        variant="page"
        text={t("window-broken")}
        buttons={
          <Button tone="primary" onPress={() => location.reload()} autoFocus>
            {t("window-reload")}
          </Button>
        }
      />
    </main>
  );
}
