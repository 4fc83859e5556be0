// Documents that a flow needs, made by the commands of its core as a form makes them.

/** A line with the usual tax. */
export const line = (en, quantity, unitPrice) => ({
  description: { ar: "", en },
  quantity,
  unit: "C62",
  unitPrice,
  taxCategory: "S",
  taxRate: "15",
  exemptionCode: "",
});

/** A query of the list that leaves nothing out. */
export const noFilter = {
  status: [],
  kind: [],
  currency: [],
  payment: [],
  submission: [],
  buyer: "",
  number: "",
  issuedFrom: "",
  issuedTo: "",
  dueFrom: "",
  dueTo: "",
  grossFrom: "",
  grossTo: "",
  hasWarnings: false,
  sort: null,
};

/** The key of a draft that says nothing and is on the disk, as one whose text was deleted again. */
export async function emptyDraft(invoke, binding) {
  const draft = await invoke("new_draft", { binding, content: null });
  await invoke("save_draft", { binding, draft });
  return draft.key;
}

/** As many requests as a browser sends to one host at the same time. */
const PARALLEL_REQUESTS = 6;

/** What makes documents in the organization of the window. Many are made sooner by `commandsOf` its host than by its page. */
export function documentsOf(invoke) {
  const binding = async () => (await invoke("watch", { after: 0 })).binding;
  /** A draft that the service has. `change` gets its content before it is sent. */
  const create = async (buyer, lines, change = (content) => content) => {
    const bound = await binding();
    const empty = await invoke("new_draft", { binding: bound, content: null });
    const content = { ...empty.content, currency: "SAR", lines };
    content.buyer = { ...content.buyer, name: { ar: "", en: buyer } };
    await invoke("save_draft", { binding: bound, draft: { ...empty, content: change(content) } });
    return invoke("create_document", { binding: bound, key: empty.key });
  };
  /** A draft of one line for each of the buyers. */
  const createAll = async (buyers) => {
    const left = buyers.values();
    const createLeft = async () => {
      for (const buyer of left) await create(buyer, [line("Paper", "1", "100")]);
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, createLeft));
  };
  const issue = async ({ row: { key, stamp } }) => invoke("issue_document", { binding: await binding(), key, stamp });
  return { binding, create, createAll, issue };
}

/** Shows the documents of a search in the list, and has the focus on the first of them. `count` is how many there are. */
export async function searchList(page, text, count) {
  await page.locator("[role=grid] [data-index='0']").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.press("Control+a");
  // At once: a list of the first letters may have the same rows, and its selection ends with the next one.
  await page.keyboard.insertText(text);
  await page.waitForFunction(
    ([wanted, rows]) => {
      const shown = [...document.querySelectorAll("[role=grid] [data-index]")];
      const total = Number(document.querySelector("[role=grid]")?.getAttribute("aria-rowcount")) - 1;
      return total === rows && shown.length > 0 && shown.every((row) => row.textContent.includes(wanted));
    },
    [text, count],
  );
  await page.keyboard.press("ArrowDown");
  await page.locator("[role=grid] [data-index='0']:focus").waitFor();
}
