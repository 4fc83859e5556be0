/** The check of the connection: a button, and each step with what it has found. */

import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Diagnosis, DiagnosisStep } from "../ipc/bindings";
import { call, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { findingReason, findingText } from "./findingText";

export function ConnectionCheck({ environment, label }: { environment: string; label: string }) {
  const { t } = useLocalizer();
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const { run, busy: running, error } = useCommandCalls();
  const check = () => run(async () => setDiagnosis(await call(commands.diagnose(environment))));
  return (
    <section aria-label={t("check-title")} className="flex flex-col gap-3">
      <h3 className="font-semibold">{t("check-title")}</h3>
      <p className="text-fg-2">{t("check-hint", { environment: label })}</p>
      <div className="flex items-center gap-3">
        <Button variant="primary" isBusy={running} onPress={() => void check()}>
          {t(diagnosis ? "check-again" : "check-start")}
        </Button>
        <p role="status" className="text-fg-2">
          {running ? t("check-running") : diagnosis ? t(isPassed(diagnosis) ? "check-passed" : "check-failed") : ""}
        </p>
      </div>
      {error && <ErrorNotice error={error} variant="card" />}
      {diagnosis && <DiagnosisSteps steps={diagnosis.steps} />}
    </section>
  );
}

function isPassed(diagnosis: Diagnosis): boolean {
  return diagnosis.steps.every(({ passed }) => passed);
}

function DiagnosisSteps({ steps }: { steps: readonly DiagnosisStep[] }) {
  const { t } = useLocalizer();
  return (["identityProvider", "gateway"] as const).map((server) => {
    const own = steps.filter((step) => step.server === server);
    if (own.length === 0) return null;
    return (
      <div key={server} className="rounded-md border border-line">
        <h4 className="flex flex-wrap gap-2 border-line border-b bg-sunken px-3 py-1.5 text-xs">
          <span className="font-semibold">{t(`check-server-${server}`)}</span>
          <bdi dir="ltr" className="text-fg-2">
            {own[0]?.host}
          </bdi>
        </h4>
        <ol>
          {own.map((step) => (
            <Step key={step.finding.kind} step={step} />
          ))}
        </ol>
      </div>
    );
  });
}

function Step({ step }: { step: DiagnosisStep }) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const Icon = step.passed ? CircleCheck : CircleX;
  const reason = findingReason(step.finding);
  return (
    <li className="flex items-start gap-2 border-line border-b px-3 py-1.5 text-xs last:border-b-0">
      <Icon size={14} aria-hidden="true" className={`mt-0.5 shrink-0 ${step.passed ? "text-success" : "text-danger"}`} />
      <span className="visually-hidden">{t(step.passed ? "check-step-passed" : "check-step-failed")}</span>
      <span className="min-w-0 flex-1" data-selectable="">
        <span className={`block break-words ${step.passed ? "" : "font-semibold"}`}>{findingText(step.finding, localizer)}</span>
        {reason !== null && (
          <bdi dir="ltr" lang="en" className="block break-words text-fg-3">
            {reason}
          </bdi>
        )}
      </span>
      <span className="numeric shrink-0 text-fg-3">{t("check-duration", { milliseconds: step.milliseconds })}</span>
    </li>
  );
}
