/** Events of the audit in words, and as rows of a table that is saved. */

import type { Localizer } from "../i18n/localizer";
import { plainText } from "../i18n/localizer";
import type { AuditEventView, AuditPerson, OrganizationView } from "../ipc/bindings";
import { isAuditKind } from "./auditKinds";

/** The actor of a change that was made with the command line of the service. */
const COMMAND_LINE = "command line";
/** The client id of the product, which has a name in each language; an application is registered with one. */
const PRODUCT = "invoice-desk";
/** The actor of what the seed of the environment has made. */
const SEED = "seed";

export function kindText(kind: string, { t }: Localizer): string {
  return isAuditKind(kind) ? t(`audit-kind-${kind}`) : kind;
}

/** Who did it: the actor, or the person whom the event is about. */
export function whoOf({ actor, subject }: AuditEventView): AuditPerson | null {
  return actor ?? subject;
}

/** Whom it is about, if that is somebody else than who did it. */
export function aboutOf({ actor, subject }: AuditEventView): AuditPerson | null {
  return actor && subject && actor.id !== subject.id ? subject : null;
}

/** A name, or the id of somebody who has none here. */
export function personText(person: AuditPerson | null, { t }: Localizer): string {
  if (person === null) return t("audit-nobody");
  if (person.id === COMMAND_LINE) return t("audit-command-line");
  if (person.id === SEED) return t("audit-seed");
  return person.name || person.id;
}

/** Somebody of whom the service gives the id alone: the name among those that are known, with the id if another one has the same name. */
export function knownPersonText(id: string, known: readonly AuditPerson[], localizer: Localizer): string {
  const person = known.find((one) => one.id === id) ?? { id, name: "" };
  const text = personText(person, localizer);
  const isAlone = known.every((one) => one.id === id || one.name !== person.name);
  return text === id || isAlone ? text : localizer.t("name-and-id", { name: text, id });
}

/** The names of organizations by their ids: those of the user, with the domain if another one has the same name, and that of the event. */
export function organizationNames(
  event: AuditEventView,
  known: readonly Pick<OrganizationView, "id" | "name" | "domain">[],
  { t, language }: Localizer,
): ReadonlyMap<string, string> {
  const isAlone = (name: string) => known.filter((one) => one.name === name).length === 1;
  const names = new Map<string, string>(
    known.map(({ id, name, domain }) => [id, isAlone(name) ? name : t("name-and-id", { name, id: domain })]),
  );
  return names.has(event.organization) ? names : names.set(event.organization, organizationText(event, language));
}

export function organizationText(event: AuditEventView, language: string): string {
  return (language === "ar" ? event.organizationNameAr : event.organizationName) || event.organizationName || event.organization;
}

/** The name of the application that was used, or its id if it has none here. */
export function applicationText({ application, applicationName }: AuditEventView, { t }: Localizer): string {
  return application === PRODUCT ? t("product") : applicationName || application;
}

/** Rows with their names first. Times are RFC 3339, and ids stand beside names. */
export function auditTable(events: readonly AuditEventView[], localizer: Localizer): string[][] {
  const { t } = localizer;
  const names = [
    t("audit-time"),
    t("audit-kind"),
    t("audit-who"),
    t("audit-who-id"),
    t("audit-about"),
    t("audit-about-id"),
    t("audit-organization"),
    t("audit-application"),
    t("audit-address"),
    t("audit-correlation-id"),
    t("audit-details"),
  ];
  const rows = events.map((event) => {
    const who = whoOf(event);
    const about = aboutOf(event);
    return [
      event.time,
      kindText(event.kind, localizer),
      who ? personText(who, localizer) : "",
      who?.id ?? "",
      about ? personText(about, localizer) : "",
      about?.id ?? "",
      organizationText(event, localizer.language),
      applicationText(event, localizer),
      event.address,
      event.correlationId,
      event.details.map(({ name, value }) => `${name}=${value}`).join("; "),
    ];
  });
  return [names.map(plainText), ...rows];
}
