/** Tests of the header of the editor: its title names the kind of the document in both languages, and its buttons keep the focus at work. */

import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { content } from "../gallery/fixtures";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import type { InvoiceContent, Language } from "../ipc/bindings";
import { NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { EditorHeader, type EditorHeaderProps } from "./EditorHeader";

vi.mock("../templates/SaveTemplate", () => ({ SaveTemplate: () => null }));
vi.mock("./DiscardDraft", () => ({ DiscardDraft: () => null }));
vi.mock("./MoveDraft", () => ({ MoveDraft: () => <span data-testid="move" /> }));
vi.mock("./SaveStatus", () => ({ SaveStatus: () => null }));
afterEach(cleanup);

function show(props: Partial<EditorHeaderProps>, language: Language = "en") {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  renderInWorkspace(
    <NavigationContext value={{ navigate: vi.fn() } as never}>
      <EditorHeader
        draftKey="k"
        kind="invoice"
        isChange={false}
        contentOf={() => content}
        autosave={{ stop: vi.fn() } as never}
        withDraft={vi.fn()}
        filling={false}
        isDisabled={false}
        isBusy={false}
        onSave={vi.fn()}
        onSaveAndIssue={vi.fn()}
        {...props}
      />
    </NavigationContext>,
    { language, client },
  );
}

function title(kind: InvoiceContent["kind"], isChange: boolean, language: Language): string {
  show({ kind, isChange }, language);
  return screen.getByRole("heading", { level: 1 }).textContent ?? "";
}

test.each([
  ["invoice", true, "Edit invoice", "تعديل الفاتورة"],
  ["creditNote", true, "Edit credit note", "تعديل الإشعار الدائن"],
  ["debitNote", true, "Edit debit note", "تعديل الإشعار المدين"],
  ["creditNote", false, "New credit note", "إشعار دائن جديد"],
] as const)("the title of a %s (changed: %s) is %s", (kind, isChange, english, arabic) => {
  expect(title(kind, isChange, "en")).toBe(english);
  cleanup();
  expect(title(kind, isChange, "ar")).toBe(arabic);
});

test("a button whose document is being sent sends nothing more, and keeps the focus, which a disabled one loses", () => {
  const press = vi.fn();
  show({ isBusy: true, onSave: press, onSaveAndIssue: press });
  for (const name of [/Save and issue/, /Save to/]) {
    const button = screen.getByRole<HTMLButtonElement>("button", { name });
    fireEvent.click(button);
    expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  }
  expect(press).not.toHaveBeenCalled();
});

test.each([
  ["a new invoice", {}, 1],
  ["a new credit note", { kind: "creditNote" }, 0],
  ["a change of an invoice", { isChange: true }, 0],
] as const)("moving to another organization: %s (%o) offers it %i times", (_name, props, count) => {
  show(props);
  expect(screen.queryAllByTestId("move")).toHaveLength(count);
});
