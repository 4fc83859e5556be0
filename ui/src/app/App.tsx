/** Selects the screen for the state of the session. */

import { Suspense } from "react";
import { lazyComponent } from "../components/lazyComponent";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { FinishingScreen, StartingScreen } from "../session/ProgressScreens";
import { useSnapshot } from "../state/snapshotStore";
import { usePreferences, useSharedPreferences } from "../state/usePreferences";
import { ErrorBoundary } from "./ErrorBoundary";
import { SignedInWindow } from "./SignedInWindow";

const BrowserSignInScreen = lazyComponent(async () => (await import("../session/BrowserSignInScreen")).BrowserSignInScreen);
const SignInScreen = lazyComponent(async () => (await import("../session/SignInScreen")).SignInScreen);

export function App() {
  const { preferences, ready } = usePreferences();
  useSharedPreferences();
  // Renders nothing until the preferences are read: the language is not known before.
  if (!ready) return null;
  return (
    <LocalizerProvider preferences={preferences}>
      <ErrorBoundary>
        <Suspense>
          <Screen />
        </Suspense>
      </ErrorBoundary>
    </LocalizerProvider>
  );
}

function Screen() {
  const snapshot = useSnapshot();
  if (!snapshot) return <StartingScreen />;
  const { session } = snapshot;
  switch (session.state) {
    case "starting":
      return <StartingScreen />;
    case "signedOut":
      return <SignInScreen lastEnvironment={session.lastEnvironment} sessionError={session.error} />;
    case "waiting":
      return <BrowserSignInScreen session={session} />;
    case "finishing":
      return <FinishingScreen environment={session.environment} />;
    case "signedIn":
      return <SignedInWindow session={session} binding={snapshot.binding} retries={snapshot.pendingRetries} />;
  }
}
