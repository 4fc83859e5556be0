/** An error as a notice, with the texts and actions of the error table. */

import { type ReactNode, use } from "react";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";
import { GoToWindowButton } from "../windows/GoToWindowButton";
import { type ErrorAction, type ErrorHandlers, WindowErrorHandlers } from "./actions";
import { ErrorDetails } from "./ErrorDetails";
import type { ErrorContext } from "./errorRow";
import { Notice, type NoticeVariant } from "./Notice";
import { detailsText, supportOf } from "./supportDetails";
import { describeError } from "./table";
import { useErrorContext } from "./useErrorContext";
import { useIsSessionOver } from "./useIsSessionOver";

/** Actions that do what another one does, under a label of their own. */
const sameHandler: Partial<Record<ErrorAction, ErrorAction>> = { tryAgain: "tryNow", later: "stop", cancel: "stop" };

export interface DescribedErrorProps {
  error: CommandError;
  variant: NoticeVariant;
  /** Those of this place. The window adds its own. */
  handlers?: ErrorHandlers;
  /** Additional content, as a countdown to the next retry. */
  children?: ReactNode;
  /** Whether that has the main action: those of the error are secondary then. */
  hasMainAction?: boolean;
  /** Whether the details are shown. By default they are if the error has any and the notice is not inline. */
  withDetails?: boolean;
  /** Names for the message that only the place of the notice knows. */
  context?: Partial<ErrorContext>;
}

export function DescribedError(props: DescribedErrorProps) {
  const { error, variant, handlers, children, hasMainAction = false, withDetails, context } = props;
  const localizer = useLocalizer();
  const windowHandlers = use(WindowErrorHandlers);
  const isOver = useIsSessionOver(error);
  const { severity, text, actions } = describeError(error, { ...useErrorContext(error), ...context }, localizer);
  if (isOver) return null;
  const hasDetails = withDetails ?? (supportOf(error) !== null && variant !== "inline");
  const buttons = actions
    .map((action, index) => (
      <ErrorActionButton
        key={action}
        action={action}
        error={error}
        handler={handlers?.[action] ?? handlers?.[sameHandler[action] ?? action] ?? windowHandlers[action]}
        isMain={index === 0 && !hasMainAction}
        text={text}
      />
    ))
    .filter(Boolean);
  return (
    <Notice
      severity={severity}
      variant={variant}
      text={text}
      buttons={buttons}
      details={hasDetails && <ErrorDetails error={error} />}
    >
      {children}
    </Notice>
  );
}

function ErrorActionButton({
  action,
  error,
  handler,
  isMain,
  text,
}: {
  action: ErrorAction;
  error: CommandError;
  handler: (() => void) | undefined;
  isMain: boolean;
  text: string;
}) {
  const { t } = useLocalizer();
  if (action === "copySupport") return <CopyButton size="sm" label={t("act-copySupport")} text={() => detailsText(error)} />;
  if (action === "copyRequest" || action === "copyForAdministrator") {
    const request = () =>
      plainText(`${text}\n\n${error.kind === "permissionDenied" ? `scope: ${error.scope}\n` : ""}${detailsText(error)}`);
    return <CopyButton size="sm" label={t(`act-${action}`)} text={request} />;
  }
  if (action === "goToWindow" && error.kind === "draftInOtherWindow")
    return <GoToWindowButton draft={error.key} first={isMain} />;
  if (!handler) return null;
  return (
    <Button size="sm" variant={isMain ? "primary" : "secondary"} onPress={handler}>
      {t(`act-${action}`)}
    </Button>
  );
}
