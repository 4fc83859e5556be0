// Arguments: the number of lines, the buyer's name, and the callback.
const [count, buyer, done] = arguments;
const { invoke } = window.__TAURI_INTERNALS__;
const store = async () => {
  const { binding } = await invoke("watch", { after: 0 });
  const { content } = await invoke("new_draft", { binding, content: null });
  content.buyer.name.en = buyer;
  content.lines = Array.from({ length: count }, (_, index) => ({
    description: { en: `Item ${index + 1}`, ar: "" },
    quantity: "2",
    unit: "C62",
    unitPrice: "10.50",
    taxCategory: "S",
    taxRate: "15",
    exemptionCode: "",
  }));
  await invoke("new_draft", { binding, content });
};
store().then(() => done(null), (error) => done(String(error)));
