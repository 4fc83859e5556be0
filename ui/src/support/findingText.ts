/** The words of each finding of a diagnosis. */

import type { Localizer } from "../i18n/localizer";
import type { DiagnosisFinding } from "../ipc/bindings";

const ASKS_FOR_PASSWORD = 407;

export function findingText(finding: DiagnosisFinding, { t, format }: Localizer): string {
  switch (finding.kind) {
    case "caFile":
      return t("finding-caFile", { certificates: finding.certificates });
    case "proxy":
      return t(finding.configured ? "finding-proxy-configured" : "finding-proxy", { address: finding.address });
    case "resolved":
      return t("finding-resolved", { addresses: format.list(finding.addresses) });
    case "connected":
      return t("finding-connected", { address: finding.address });
    case "proxyNotResolved":
      return t("finding-proxyNotResolved");
    case "proxyNotConnected":
      return t(`finding-proxyNotConnected-${finding.problem}`);
    case "notConnected":
      return t(`finding-notConnected-${finding.problem}`);
    case "proxyRefused":
      return finding.status === ASKS_FOR_PASSWORD
        ? t("finding-proxyRefused-password")
        : t("finding-proxyRefused", { status: String(finding.status) });
    case "trusted":
      return t("finding-trusted", { issuers: format.list(finding.issuers) });
    case "notTrusted":
      return finding.problem === "noTls"
        ? t("finding-notTrusted-noTls")
        : t(`finding-notTrusted-${finding.problem}`, { issuers: format.list(finding.issuers) || "—" });
    case "answered":
      return t("finding-answered", { status: String(finding.status) });
    case "clockWrong":
      return t("finding-clockWrong", { minutes: Math.round(Math.abs(finding.seconds) / 60) });
    case "caFileUnusable":
    case "noProxy":
    case "notResolved":
    case "plain":
    case "notAnswered":
    case "discovered":
    case "notDiscovered":
    case "clockRight":
      return t(`finding-${finding.kind}`);
  }
}

/** What the system or a library says, in English, for those who look after the network. */
export function findingReason(finding: DiagnosisFinding): string | null {
  return "reason" in finding ? finding.reason : null;
}
