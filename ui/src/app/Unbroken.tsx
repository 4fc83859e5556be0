/** Instead of a blank window: what to do when drawing it has failed. That is our mistake, and nothing typed goes with it. */

import { Component, type ReactNode } from "react";
import { Notice } from "../errors/ErrorNotice";
import { Button } from "../parts/Button";
import { useWords } from "../words/WordsProvider";

export class Unbroken extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useWords();
  return (
    <main className="flex h-full bg-paper">
      <Notice
        severity="problem"
        shape="page"
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
