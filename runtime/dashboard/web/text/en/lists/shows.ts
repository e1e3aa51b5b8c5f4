/** Texts about how a list is shown; separate, so that the sign-in page does not load them. */
export const enShows = Object.freeze({
  label: "Show as",
  table: "Table",
  calendar: "Calendar",
  gallery: "Gallery",
});
