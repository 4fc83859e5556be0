/** What an invoice file of another program says: whose it is, which rules it breaks, and what a draft of it would not have. */

import { CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { NameText, NumericText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useNewDraft } from "../drafts/useNewDraft";
import { ruleMessage } from "../editor/fields";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import { useLocalizerOf } from "../i18n/useLocalizerOf";
import type { CommandError, FileParty, FileReading, UnreadElement, Violation } from "../ipc/bindings";
import { commandError } from "../ipc/call";
import { useWorkspace } from "../state/workspace";
import { type FileSource, readFile } from "./readFile";

export interface InvoiceFileDialogProps {
  file: FileSource;
  /** Of several files. */
  position: { index: number; count: number } | null;
  onNext: (() => void) | null;
  /** A draft of the file is open in the editor. */
  onCreated: () => void;
  onClose: () => void;
}

export function InvoiceFileDialog({ file, position, onNext, onCreated, onClose }: InvoiceFileDialogProps) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { start, busy, error: draftError } = useNewDraft();
  const [reading, setReading] = useState<FileReading | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const { id } = organization;
  useEffect(() => {
    let closed = false;
    readFile(id, file).then(
      (read) => {
        if (!closed) setReading(read);
      },
      (thrown) => {
        if (!closed) setError(commandError(thrown));
      },
    );
    return () => {
      closed = true;
    };
  }, [id, file]);

  const ours = reading !== null && (reading.relation === "seller" || reading.relation === "unknown");
  const create = async () => {
    if (reading && (await start(reading.content))) onCreated();
  };
  const failure = error ?? draftError;
  return (
    <Modal
      title={
        !(file instanceof File)
          ? t("import-file")
          : position
            ? t("import-title-of", { name: file.name, ...position })
            : t("import-title", { name: file.name })
      }
      isOpen
      width="md"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onNext ?? onClose}>{t(onNext ? "import-next" : "import-close")}</Button>
          {ours && (
            <Button variant="primary" autoFocus isBusy={busy} onPress={() => void create()}>
              {t("import-create")}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {failure && <ErrorNotice error={failure} variant="card" />}
        {!reading && !error && (
          <p role="status" className="text-fg-2">
            {t("import-reading")}
          </p>
        )}
        {reading && (
          // Scrolled by the keyboard, so it takes the focus.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <div role="region" aria-label={t("import-content")} tabIndex={0} className="flex flex-col gap-5">
            <Reading reading={reading} />
          </div>
        )}
      </div>
    </Modal>
  );
}

function Reading({ reading }: { reading: FileReading }) {
  const { t, format } = useLocalizer();
  const { organization } = useWorkspace();
  const { relation, seller, buyer } = reading;
  const syntax = t(reading.inPdf ? "import-syntax-pdf" : "import-syntax-xml", {
    syntax: reading.syntax === "ubl" ? "UBL" : "CII",
  });
  return (
    <>
      {relation === "buyer" && (
        <Notice severity="warning" variant="card" text={t("import-buyer", { organization: organization.name })} />
      )}
      {relation === "neither" && (
        <Notice severity="warning" variant="card" text={t("import-neither", { organization: organization.name })} />
      )}
      {relation === "unknown" && (
        <Notice severity="info" variant="card" text={t("import-unknown", { organization: organization.name })} />
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        <Fact label={t("import-kind")}>
          {t(`kind-${reading.kind}`)}
          {reading.number !== "" && (
            <>
              <Separator />
              <NumericText className="font-semibold">{reading.number}</NumericText>
            </>
          )}
        </Fact>
        <Fact label={t("import-seller")}>
          <Party party={seller} />
        </Fact>
        <Fact label={t("column-buyer")}>
          <Party party={buyer} />
        </Fact>
        {reading.issueDate !== "" && <Fact label={t("column-issued")}>{format.date(reading.issueDate)}</Fact>}
        {reading.gross !== "" && (
          <Fact label={t("column-gross")}>
            <NumericText className="font-semibold">{format.money(reading.gross, reading.currency)}</NumericText>
          </Fact>
        )}
        <Fact label={t("import-format")}>{syntax}</Fact>
      </dl>
      <Violations violations={reading.violations} count={reading.violationCount} />
      {(relation === "seller" || relation === "unknown") && <Unread elements={reading.unread} />}
    </>
  );
}

function Party({ party }: { party: FileParty }) {
  const { language } = useLocalizer();
  const name = localizedText(party.name, language);
  return (
    <>
      <NameText>{name === "" ? "—" : name}</NameText>
      {party.taxId !== "" && (
        <>
          <Separator />
          <NumericText className="text-fg-2">{party.taxId}</NumericText>
        </>
      )}
    </>
  );
}

/** Each rule in both languages: the file may go back to somebody who reads the other one. */
function Violations({ violations, count }: { violations: readonly Violation[]; count: number }) {
  const localizer = useLocalizer();
  const { t, language } = localizer;
  const id = useId();
  const other = useLocalizerOf(language === "ar" ? "en" : "ar");
  if (count === 0) {
    return (
      <p className="flex items-center gap-2">
        <CircleCheck size={16} aria-hidden="true" className="shrink-0 text-success" />
        {t("import-no-violations")}
      </p>
    );
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-semibold">
        {t("import-violations", { count })}
      </h3>
      <ul className="rounded-md border border-line-strong">
        {violations.map((violation, index) => (
          // One rule can be broken twice at one place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="border-line border-b px-3 py-2 last:border-b-0">
            <p>{ruleMessage(violation, localizer)}</p>
            {other && (
              <p dir={other.direction} lang={other.language} className="text-fg-2">
                {ruleMessage(violation, other)}
              </p>
            )}
            <p className="text-2xs text-fg-2">
              <NumericText>{violation.rule}</NumericText>
              <Separator />
              <NumericText className="break-all">{violation.path}</NumericText>
            </p>
          </li>
        ))}
      </ul>
      {count > violations.length && (
        <p className="text-fg-2">{t("import-more-violations", { count: count - violations.length })}</p>
      )}
    </section>
  );
}

function Unread({ elements }: { elements: readonly UnreadElement[] }) {
  const { t } = useLocalizer();
  const id = useId();
  const reasons = [...new Set(elements.map(({ reason }) => reason))];
  if (elements.length === 0) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-semibold">
        {t("import-unread")}
      </h3>
      <dl className="flex flex-col gap-2">
        {reasons.map((reason) => (
          <div key={reason}>
            <dt className="text-fg-2">{t(`unread-${reason}`)}</dt>
            <dd>
              <ul>
                {elements
                  .filter((element) => element.reason === reason)
                  .map(({ path, count }) => (
                    <li key={path} className="text-xs">
                      <NumericText className="break-all">{count > 1 ? `${path} × ${count}` : path}</NumericText>
                    </li>
                  ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-fg-2">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
