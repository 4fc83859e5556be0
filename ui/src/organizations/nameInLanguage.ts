/** The name of an organization in the language of the window: the service knows one in English and one in Arabic. */

import type { Localizer } from "../i18n/localizer";
import type { OrganizationView } from "../ipc/bindings";

export function nameInLanguage(organization: OrganizationView, { language }: Pick<Localizer, "language">): OrganizationView {
  return language === "ar" && organization.arabic ? { ...organization, ...organization.arabic } : organization;
}
