/** Texts about undoing; separate, so that the home page and lists do not load those of records. */
export const enUndo = Object.freeze({
  undo: "Undo",
  undone: (title: string) => `${title} is as before`,
  tryAgain: "Try again",
  changedSince: (title: string) =>
    `${title} has since been changed elsewhere, so the change was not undone`,
  goneSince: (title: string) => `${title} has since been deleted, so the change was not undone`,
  failed: (title: string, why: string) => `The change to ${title} was not undone. ${why}`,
});
