import { counted } from "./en.js";

/** Texts about the history of records; separate, so that the sign-in page does not load them. */
export const enHistory = Object.freeze({
  tab: "History",
  you: "you",
  byJob: (job: string) => `the job ${job}`,
  withToken: (by: string | null, token: string) =>
    by === null ? `the service token “${token}”` : `${by} with the service token “${token}”`,
  heads: {
    create: (by: string | null) => (by === null ? "Created" : `Created by ${by}`),
    update: (by: string | null) => (by === null ? "Changed" : `Changed by ${by}`),
    delete: (by: string | null) => (by === null ? "Deleted" : `Deleted by ${by}`),
    trash: (by: string | null) =>
      by === null ? "Moved to the trash" : `Moved to the trash by ${by}`,
    restore: (by: string | null) =>
      by === null ? "Restored from the trash" : `Restored from the trash by ${by}`,
  },
  none: "Nothing has changed since its history began.",
  notShown: "You may not see its history.",
  older: "Show older changes",
  begins: (days: number) => `Changes are kept for ${counted(days, "day", "days")}.`,
  values: (count: number) => `Show ${counted(count, "value", "values")}`,
  nothingSeen: "Nothing that you may see was changed.",
  whole: "Show the whole text",
  wholeOf: (label: string) => `Show the whole text: ${label}`,
  wholeLater: "Only its beginning is shown.",
  becomes: "becomes",
  putBack: "Put back",
  putBackOf: (label: string) => `Put back: ${label}`,
  isBack: (label: string, title: string) => `${title}: ${label} has its earlier value again`,
  revert: "Restore this version",
  revertOf: (when: string) => `Restore this version: ${when}`,
  reverted: (title: string, when: string) => `${title} was restored to its version of ${when}`,
  nothingToRevert: (title: string) => `${title} already has these values`,
  withSkipped: (said: string, names: readonly string[]) =>
    names.length === 0
      ? said
      : `${said}. Left out, because these fields no longer exist: ${names.join(", ")}`,
  changedSince: "This was changed elsewhere. Look at the new version first.",
  deletedAs: (title: string) => `${title} was deleted`,
  deletedText: "It can be restored as it was, with the same URL.",
  trashedText: "It is in the trash. All that was deleted with it is restored too.",
  deletedBarred: "Its history is still here.",
  restore: "Restore it",
  restored: (title: string) => `${title} is restored`,
});
