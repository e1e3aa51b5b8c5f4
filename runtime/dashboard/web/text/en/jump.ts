/** Texts of the dialog that jumps to a page, a view or a record, and runs actions. */
export const enJump = Object.freeze({
  recent: "Recently opened",
  pages: "Pages",
  views: "Views",
  viewOf: (view: string, things: string) => `${view} (${things})`,
  searching: "Searching",
  placeholder: "Jump to…, or run an action: “new”, “export”, “dark”",
  actions: "Actions",
  new: (thing: string) => `New ${thing}`,
  import: (things: string) => `Import ${things}`,
  export: (things: string) => `Export ${things}`,
  api: (label: string) => `${label} via the API`,
  reference: "API reference",
  noReference: "This server does not show the API reference. Its operator can turn it on.",
});
