/** What can be done with a document on paper: look at it, print it, save it as a file. Its menu has the rarer actions on the document too. */

import { ChevronDown, FileText } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { MenuTrigger } from "react-aria-components";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { useCommand } from "../components/commands";
import { lazyComponent } from "../components/lazyComponent";
import { MenuItem, MenuPopover, MenuSection, MenuSeparator } from "../components/Menu";
import { useShortcut } from "../components/shortcuts";
import { useSellerCountry } from "../editor/details/useSellerCountry";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useShowError } from "../errors/useShowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, DocumentFormat, InvoiceView, PrintLanguage } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { ALL_PAGES, paperLanguages, usePaperChoices } from "./paperChoices";
import { removePrintSheet } from "./printSheet";
import { usePrint } from "./usePrint";

const DocumentPaper = lazyComponent(async () => (await import("./DocumentPaper")).DocumentPaper);

const savePdf = { english: "paper-save-english", arabic: "paper-save-arabic", both: "paper-save-both" } as const;

export interface PaperActionsProps {
  view: InvoiceView;
  /** Further items of the menu, before and after those of the paper. */
  before?: ReactNode;
  after?: ReactNode;
}

export function PaperActions({ view, before, after }: PaperActionsProps) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  // Not asked for in the paper: with its chunk, what a first screen has of this code would be a chunk of its own.
  const country = useSellerCountry();
  const { language: chosen } = usePaperChoices();
  const [isOpen, setOpen] = useState(false);
  const [isListOpen, setListOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState("");
  const [failed, setFailed] = useState<{ error: CommandError; again: () => void } | null>(null);
  const showError = useShowError();
  const { key, stamp, number } = view.row;
  const { id } = organization;

  const run = async (work: () => Promise<string>) => {
    setBusy(true);
    setFailed(null);
    setOutcome("");
    try {
      const done = await work();
      setOutcome(done);
      if (done !== "") announce(done);
    } catch (thrown) {
      // Another document may be open by now.
      showError(commandError(thrown), (error) => setFailed({ error, again: () => void run(work) }));
    } finally {
      setBusy(false);
    }
  };
  const save = (format: DocumentFormat, printLanguage: PrintLanguage) =>
    void run(async () => {
      const name = await withBinding(id, (binding) => commands.saveDocument(binding, key, format, printLanguage));
      return name === null ? "" : t("paper-saved", { name });
    });
  const printPages = usePrint();
  const print = () =>
    void run(async () => {
      await printPages(() => withBinding(id, (binding) => commands.printDocument(binding, key, stamp, chosen, ALL_PAGES)));
      return "";
    });
  useEffect(() => removePrintSheet, []);
  useShortcut("paper", () => setOpen(true));
  useShortcut("print", print, !busy);
  useShortcut("savePdf", () => save("pdf", chosen), !busy);
  return (
    <>
      {failed && (
        <div className="basis-full">
          <ErrorNotice error={failed.error} variant="card" handlers={{ tryNow: failed.again }} />
        </div>
      )}
      {!busy && <PdfCommands onSave={(printLanguage) => save("pdf", printLanguage)} />}
      {!busy && number !== "" && <UblCommand onSave={() => save("ubl", chosen)} />}
      <Button shortcut="paper" onPress={() => setOpen(true)}>
        {t("paper-preview")}
      </Button>
      <MenuTrigger isOpen={isListOpen} onOpenChange={(opens) => setListOpen(opens && !busy)}>
        <Button isBusy={busy}>
          {t("document-more")}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
        <MenuPopover label={t("document-more")} placement="top start">
          {before}
          <MenuSection title={number === "" ? t("paper-pdf-draft") : t("paper-pdf")}>
            {paperLanguages.map((each) => (
              <MenuItem
                key={each}
                id={each}
                {...(each === chosen ? { shortcut: "savePdf" as const } : {})}
                icon={<FileText size={14} aria-hidden="true" />}
                onAction={() => save("pdf", each)}
              >
                {t(savePdf[each])}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection title={t("paper-data")}>
            <MenuItem id="ubl" isDisabled={number === ""} onAction={() => save("ubl", chosen)}>
              {t(number === "" ? "paper-ubl-later" : "paper-save-ubl")}
            </MenuItem>
          </MenuSection>
          <MenuSeparator />
          <MenuItem id="print" shortcut="print" onAction={print}>
            {t("paper-print")}
          </MenuItem>
          {after}
        </MenuPopover>
      </MenuTrigger>
      {outcome !== "" && <p className="basis-full text-fg-2 text-xs">{outcome}</p>}
      {isOpen && (
        <Suspense>
          <DocumentPaper view={view} country={country} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The choices of the menu as commands of the palette. */
function PdfCommands({ onSave }: { onSave: (language: PrintLanguage) => void }) {
  useCommand("savePdfEnglish", "paper-save-english", () => onSave("english"));
  useCommand("savePdfArabic", "paper-save-arabic", () => onSave("arabic"));
  useCommand("savePdfBoth", "paper-save-both", () => onSave("both"));
  return null;
}

function UblCommand({ onSave }: { onSave: () => void }) {
  useCommand("saveUbl", "paper-save-ubl", onSave);
  return null;
}
