/** The Arabic texts without those of validation rules, settings, administration, relations and history, as one chunk that is loaded when the language is shown. */

export default Object.values(
  import.meta.glob<string>(["../../../locales/ar/*.ftl", "!**/{rules,administration,settings,relations,history}.ftl"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);
