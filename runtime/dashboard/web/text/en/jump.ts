/** The groups in the dialog that jumps to a page, a view or a record. */
export const enJump = Object.freeze({
  recent: "Recently opened",
  pages: "Pages",
  views: "Views",
  viewOf: (view: string, things: string) => `${view} (${things})`,
  searching: "Searching",
});
