// Arguments: the buyer's name, the lines, and the callback.
const [buyer, lines, done] = arguments;
const { invoke } = window.__TAURI_INTERNALS__;
const store = async () => {
  const { binding } = await invoke("watch", { after: 0 });
  const { content } = await invoke("new_draft", { binding, content: null });
  content.buyer.name.en = buyer;
  content.lines = lines;
  await invoke("new_draft", { binding, content });
};
store().then(() => done(null), (error) => done(String(error)));
