/** An event of the audit: a row of the table, and below it what else is known, when it is open. */

import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { NameText, NumericText } from "../components/BidiText";
import { Button } from "../components/Button";
import { CopyIconButton } from "../components/CopyButton";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AuditEventView, AuditPerson } from "../ipc/bindings";
import { shownDetails } from "./auditDetails";
import { aboutOf, applicationText, kindText, organizationText, personText, whoOf } from "./auditText";
import { useAuditNames } from "./useAuditNames";

interface AuditEventProps {
  event: AuditEventView;
  withOrganization: boolean;
  onPerson: (person: AuditPerson) => void;
}

export function AuditEventRow(props: AuditEventProps) {
  const { event, withOrganization } = props;
  const localizer = useLocalizer();
  const { t, format, language } = localizer;
  const [open, setOpen] = useState(false);
  const details = useId();
  const who = whoOf(event);
  const about = aboutOf(event);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <>
      <tr className={`align-top ${open ? "bg-sunken" : "border-line border-b"}`}>
        <td className="whitespace-nowrap px-2 py-1.5 text-fg-2 max-narrow:whitespace-normal">{format.dateTime(event.time)}</td>
        <th scope="row" className="py-1 text-start font-normal">
          <AriaButton
            aria-expanded={open}
            {...(open ? { "aria-controls": details } : {})}
            onPress={() => setOpen(!open)}
            className="inline-flex items-start gap-1 rounded-md px-1 py-0.5 text-start data-[hovered]:underline"
          >
            <Chevron size={14} aria-hidden="true" className="mt-[3px] shrink-0 text-fg-3 mirror-in-rtl" />
            <span>
              <span className="font-semibold">{kindText(event.kind, localizer)}</span>
              {about && (
                <span className="block text-fg-2 text-xs">
                  <NameText>{personText(about, localizer)}</NameText>
                </span>
              )}
            </span>
          </AriaButton>
        </th>
        <td className="break-words px-2 py-1.5">
          <NameText>{personText(who, localizer)}</NameText>
        </td>
        {withOrganization && (
          <td className="px-2 py-1.5 max-narrow:hidden">
            <NameText>{organizationText(event, language) || t("audit-platform")}</NameText>
          </td>
        )}
        <td className="px-2 py-1.5 text-fg-2 max-narrow:hidden">
          <NameText>{applicationText(event, localizer)}</NameText>
        </td>
      </tr>
      {open && (
        <tr id={details} className="border-line border-b bg-sunken">
          <td colSpan={withOrganization ? 5 : 4} className="px-3 pt-1 pb-3">
            <EventDetails {...props} />
          </td>
        </tr>
      )}
    </>
  );
}

function EventDetails({ event, withOrganization, onPerson }: AuditEventProps) {
  const localizer = useLocalizer();
  const { t, language } = localizer;
  const who = whoOf(event);
  const about = aboutOf(event);
  const values = shownDetails(event.details, localizer, useAuditNames(event));
  return (
    <dl className="grid max-w-160 grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 text-xs">
      <PersonDetail name={t("audit-who")} person={who} onPerson={onPerson} />
      {about && <PersonDetail name={t("audit-about")} person={about} onPerson={onPerson} />}
      {withOrganization && event.organization && (
        <Detail name={t("audit-organization")}>
          <NameText>{organizationText(event, language)}</NameText>{" "}
          <NumericText className="text-fg-2">{event.organization}</NumericText>
        </Detail>
      )}
      {event.application && (
        <Detail name={t("audit-application")}>
          {event.applicationName && <NameText>{applicationText(event, localizer)}</NameText>}{" "}
          <NumericText className="text-fg-2">{event.application}</NumericText>
        </Detail>
      )}
      {event.address && (
        <Detail name={t("audit-address")}>
          <NumericText>{event.address}</NumericText>
        </Detail>
      )}
      {values.map(({ name, label, text }) => (
        <Detail key={name} name={label ?? <code dir="ltr">{name}</code>}>
          {text}
        </Detail>
      ))}
      {event.correlationId && (
        <Detail name={t("audit-correlation-id")}>
          <span className="inline-flex items-center gap-1">
            <NumericText className="min-w-0 break-all">{event.correlationId}</NumericText>
            <CopyIconButton text={event.correlationId} label={t("audit-copy-correlation-id")} />
          </span>
        </Detail>
      )}
    </dl>
  );
}

function Detail({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-2">{name}</dt>
      <dd className="break-words">{children}</dd>
    </>
  );
}

/** A person with the id, and the button that shows the events of this person alone. */
function PersonDetail({
  name,
  person,
  onPerson,
}: {
  name: string;
  person: AuditPerson | null;
  onPerson: (person: AuditPerson) => void;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  if (person === null) return null;
  const shown = personText(person, localizer);
  return (
    <Detail name={name}>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <NameText>{shown}</NameText>
        {person.id !== shown && <NumericText className="break-all text-fg-2">{person.id}</NumericText>}
        <Button size="sm" onPress={() => onPerson(person)}>
          {t("audit-only-person", { name: shown })}
        </Button>
      </span>
    </Detail>
  );
}
