// Arguments: the queries, and the callback.
const [queries, done] = arguments;
const { invoke } = window.__TAURI_INTERNALS__;
const measure = async () => {
  const { binding } = await invoke("watch", { after: 0 });
  const times = [];
  for (const query of queries) {
    const begun = performance.now();
    await invoke("list_invoices", { binding, query });
    times.push(Math.round(performance.now() - begun));
  }
  return times;
};
measure().then(done, (error) => done(String(error)));
