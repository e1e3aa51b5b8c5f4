/** How a list is shown; separate, so that the sign-in does not load it. */
export const enShows = Object.freeze({
  label: "Show as",
  table: "Table",
  calendar: "Calendar",
  gallery: "Gallery",
});
