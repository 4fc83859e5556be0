/** The English texts without those of validation rules, as one chunk that is loaded when the language is shown. */

export default Object.values(
  import.meta.glob<string>(["../../../locales/en/*.ftl", "!**/rules.ftl"], { query: "?raw", import: "default", eager: true }),
);
