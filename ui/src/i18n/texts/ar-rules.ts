/** The Arabic texts of validation rules, settings, administration, relations, history, rarely used fields, attachments, templates, submissions, tenants, the audit, permissions and bulk runs, a chunk of its own: no first screen needs them. */

export default Object.values(
  import.meta.glob<string>(
    "../../../locales/ar/{rules,administration,settings,relations,history,details,attachments,templates,submissions,tenants,audit,fields,permissions,bulk}.ftl",
    {
      query: "?raw",
      import: "default",
      eager: true,
    },
  ),
);
