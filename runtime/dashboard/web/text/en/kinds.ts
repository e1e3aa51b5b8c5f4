/** Problems of values in forms and imported files; separate, so that lists do not load them. */
export const enKinds = Object.freeze({
  wholeDate: "The date is incomplete or does not exist.",
  wholeTime: "The time is incomplete, or its day does not exist.",
  oneOf: (values: string) => `Must be one of: ${values}`,
  recordId: "Must be the id of a record",
  oneRecord: "Choose at least one",
  mostRecords: (most: number) => `At most ${most} records`,
  atMost: (most: number) => `At most ${most} elements`,
  atLeastOne: "At least one element",
  repeated: "An element is repeated",
});

/** Problems of JSON in forms and imported files. */
export const enJson = Object.freeze({
  atLine: (line: number, problem: string) => `Line ${line}: ${problem}`,
  syntax: "This is not JSON",
  unfinished: "The JSON is not complete",
});

/** Problems of written numbers; separate, because forms, filters and imports use them. */
export const enNumber = Object.freeze({
  none: "Must be a number",
  whole: "Must be a whole number",
  tooLarge: "Has too many digits to be stored exactly",
  unclear: (forms: readonly string[]) =>
    forms.length === 1
      ? `Must be a number, written as ${forms[0]}`
      : `This number is ambiguous: write ${forms.join(" or ")}`,
  inList: (problem: string) => `${problem}. Semicolons separate several numbers`,
});
