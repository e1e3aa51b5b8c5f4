/** Texts of the quick look at a row. */
export const enLook = Object.freeze({
  at: (title: string) => `Quick look at ${title}`,
  open: (thing: string) => `Open ${thing}`,
  unknown: "…",
  cut: (text: string) => `${text}…`,
  shown: (title: string) =>
    `Quick look at ${title}, beside the list. Press the up or down arrow for another row, or Space to close the quick look.`,
});

/** Texts about pictures. */
export const enPictures = Object.freeze({
  enlarge: (name: string) => `Enlarge ${name}`,
  pixels: (width: string, height: string) => `${width} × ${height} pixels`,
  place: (at: number, of: number) => `${at} of ${of}`,
  previous: "Previous",
  next: "Next",
  download: "Download",
});
