/** What becomes of several invoice files when one of them is closed or made into a draft, and of a paste that is no file. */

import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { FilesLeft } from "./FilesLeft";
import type { InvoiceFileDialogProps } from "./InvoiceFileDialog";
import { InvoiceFiles } from "./InvoiceFiles";

vi.mock("../state/snapshotStore", () => ({ useSnapshot: () => null }));
vi.mock("./InvoiceFileDialog", () => ({
  InvoiceFileDialog: ({ file, position, onNext, onCreated, onClose }: InvoiceFileDialogProps) => (
    <section aria-label="file">
      {/* It has read the file that it was opened with. */}
      <p>{`${useState(file as File)[0].name} ${position?.index} of ${position?.count}`}</p>
      {onNext && (
        <button type="button" onClick={onNext}>
          next
        </button>
      )}
      <button type="button" onClick={onCreated}>
        create
      </button>
      <button type="button" onClick={onClose}>
        close
      </button>
    </section>
  ),
}));
beforeAll(() => import("./InvoiceFileDialog"));
afterEach(cleanup);

async function choose(count: number) {
  const { container } = render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <InvoiceFiles>
        <FilesLeft />
      </InvoiceFiles>
    </LocalizerProvider>,
  );
  const files = Array.from({ length: count }, (_, index) => new File(["<a/>"], `${index + 1}.xml`));
  const input = container.querySelector("input") ?? expect.fail("there is a field for files");
  fireEvent.change(input, { target: { files } });
  await screen.findByText(`1.xml 1 of ${count}`);
  return input;
}

test("a draft of one file keeps the others, which are named and opened next", async () => {
  await choose(3);
  fireEvent.click(screen.getByText("create"));
  expect(screen.queryByLabelText("file")).toBeNull();
  expect(screen.getByText(/invoice files are not opened yet: .*2\.xml.*3\.xml/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Next file" }));
  await screen.findByText("2.xml 2 of 3");
  fireEvent.click(screen.getByText("close"));
  fireEvent.click(screen.getByRole("button", { name: "Close without opening" }));
  expect(screen.queryByText(/not opened yet/)).toBeNull();
});

test("no file is left out, however many there are", async () => {
  await choose(60);
  for (let left = 59; left > 0; left -= 1) fireEvent.click(screen.getByText("next"));
  expect(screen.getByText("60.xml 60 of 60")).toBeTruthy();
});

test("files that come while another one is open are read themselves", async () => {
  const input = await choose(2);
  fireEvent.change(input, { target: { files: [new File(["<b/>"], "later.xml")] } });
  await screen.findByText("later.xml 1 of 3");
});

/** Pastes into the window, and tells whether that was more than a paste of text. */
function paste(text: string, ...files: File[]) {
  return !fireEvent.paste(document.body, { clipboardData: { files, getData: () => text } });
}

test("a picture of cells beside their text is no invoice file", async () => {
  await choose(2);
  fireEvent.click(screen.getByText("close"));
  const picture = new File(["png"], "image.png", { type: "image/png" });
  expect(paste("Chair\t2\t100", picture)).toBe(false);
  expect(screen.queryByLabelText("file")).toBeNull();
  // Some systems give the name of a file as its text.
  expect(paste("3.pdf", new File(["%PDF"], "3.pdf", { type: "application/pdf" }))).toBe(true);
  await screen.findByText("3.pdf 1 of 2");
});
