/** The groups of what one can jump to. */
export const enJump = Object.freeze({
  recent: "Opened last",
  pages: "Pages",
  views: "Views",
  viewOf: (view: string, things: string) => `${view} (${things})`,
  searching: "Searching",
});
