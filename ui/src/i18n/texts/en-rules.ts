/** The English texts of validation rules, settings, administration, relations, history and rarely used fields, a chunk of its own: no first screen needs them. */

export default Object.values(
  import.meta.glob<string>("../../../locales/en/{rules,administration,settings,relations,history,details}.ftl", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);
