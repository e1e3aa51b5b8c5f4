/** Texts of a home page without numbers; separate, so that other home pages do not load them. */
export const enBegin = Object.freeze({
  none: "You have no access to any list. An operator can give you a role.",
  begin: "There is nothing here yet. Create the first:",
  lists: "Lists that you may read",
  new: (thing: string) => `New ${thing}`,
});
