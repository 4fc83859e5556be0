/** Tests of the title of the editor: it names the kind of the document, in both languages. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { content, organizations } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { InvoiceContent, Language } from "../ipc/bindings";
import { NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { type Workspace, WorkspaceContext } from "../state/workspace";
import { EditorHeader } from "./EditorHeader";

vi.mock("../templates/SaveTemplate", () => ({ SaveTemplate: () => null }));
vi.mock("./DiscardDraft", () => ({ DiscardDraft: () => null }));
vi.mock("./SaveStatus", () => ({ SaveStatus: () => null }));
afterEach(cleanup);

function title(kind: InvoiceContent["kind"], isChange: boolean, language: Language): string {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { enabled: false } });
  render(
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={{ language, theme: "light", digits: "latin" }}>
        <WorkspaceContext value={{ organization: organizations[0], retries: [] } as unknown as Workspace}>
          <NavigationContext value={{ navigate: vi.fn() } as never}>
            <EditorHeader
              draftKey="k"
              kind={kind}
              isChange={isChange}
              contentOf={() => content}
              autosave={{ stop: vi.fn() } as never}
              isDisabled={false}
              isOutcomeUnknown={false}
              onSave={vi.fn()}
              onSaveAndIssue={vi.fn()}
            />
          </NavigationContext>
        </WorkspaceContext>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
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
