/** Entry point: styles, query cache, snapshot polling, then the application. */

import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./styles/app.css";
import { App, prefetchFirstScreen } from "./app/App";
import { prepareAnnouncements } from "./components/announce";
import { prefetchLazyComponents } from "./components/lazyComponent";
import { noteScrollBars } from "./components/scrollBars";
import { chooseLanguage } from "./i18n/localizer";
import { prefetchTexts } from "./i18n/texts";
import { createQueryClient } from "./state/queryClient";
import { startSnapshotPolling } from "./state/snapshotStore";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has an element #root");

async function start(container: HTMLElement) {
  prepareAnnouncements();
  noteScrollBars();
  // The gallery exists in development builds only.
  if (import.meta.env.DEV && location.pathname === "/gallery") {
    const { Gallery } = await import("./gallery/Gallery");
    createRoot(container).render(<Gallery />);
    return;
  }
  // Most people use the language of their system.
  prefetchTexts(chooseLanguage(null, navigator.languages));
  const client = createQueryClient();
  prefetchFirstScreen(client);
  startSnapshotPolling();
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
  void prefetchLazyComponents();
}

void start(root);
