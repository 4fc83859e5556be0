/** Shows the error of what may end after the part of the window that began it has gone. */

import { useIsShown } from "../components/useIsShown";
import type { CommandError } from "../ipc/bindings";
import { showWindowError } from "./windowError";

/**
 * A function that gives an error to `show` while the component is there, and `shown` is, as `useIsShown` says; and shows it above the screen
 * afterwards, by `showAbove`: whoever has left takes for done what was begun.
 */
export function useShowError(
  shown = true,
  showAbove: (error: CommandError) => void = showWindowError,
): (error: CommandError, show: (error: CommandError) => void) => void {
  const isShown = useIsShown(shown);
  return (error, show) => {
    if (isShown.current) show(error);
    else showAbove(error);
  };
}
