/** The Arabic texts without those of validation rules, settings, administration, relations, history, rarely used fields, attachments, templates, submissions, tenants, the audit, permissions and bulk runs, as one chunk that is loaded when the language is shown. */

export default Object.values(
  import.meta.glob<string>(
    [
      "../../../locales/ar/*.ftl",
      "!**/{rules,administration,settings,relations,history,details,attachments,templates,submissions,tenants,audit,fields,permissions,bulk}.ftl",
    ],
    {
      query: "?raw",
      import: "default",
      eager: true,
    },
  ),
);
