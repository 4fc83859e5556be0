/** Which screen the session asks for. */

import { useSnapshot } from "../session/feed";
import { FinishingScreen, StartingScreen } from "../session/PassingScreens";
import { SignInScreen } from "../session/SignInScreen";
import { WaitingScreen } from "../session/WaitingScreen";
import { WordsProvider } from "../words/WordsProvider";
import { usePreferences } from "./preferences";
import { SignedIn } from "./SignedIn";
import { Unbroken } from "./Unbroken";

export function App() {
  const { preferences, ready } = usePreferences();
  // Nothing is drawn in a language that may be the wrong one; reading them takes a moment.
  if (!ready) return null;
  return (
    <WordsProvider preferences={preferences}>
      <Unbroken>
        <Screen />
      </Unbroken>
    </WordsProvider>
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
      return <SignInScreen last={session.lastEnvironment} trouble={session.trouble} />;
    case "waiting":
      return <WaitingScreen session={session} />;
    case "finishing":
      return <FinishingScreen environment={session.environment} />;
    case "signedIn":
      return <SignedIn session={session} place={snapshot.place} waits={snapshot.waits} />;
  }
}
