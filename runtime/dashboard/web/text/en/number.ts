/** What is wrong with a written number; separate, because forms, filters and imports say it. */
export const enNumber = Object.freeze({
  none: "Must be a number",
  whole: "Must be a whole number",
  unclear: (forms: readonly string[]) =>
    forms.length === 1
      ? `Must be a number, written as ${forms[0]}`
      : `Must be a number with one meaning: write ${forms.join(" or ")}`,
  inList: (problem: string) => `${problem}. Semicolons separate several numbers`,
});
