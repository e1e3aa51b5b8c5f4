/** What is wrong with a cell of a file: `service import` and the dashboard's import say the same. */
export const cellWords = {
  number: "Must be a number as in JSON: 1234.5",
  boolean: "Must be true or false",
  date: "Must be a date: YYYY-MM-DD",
  time: "Must be a time: YYYY-MM-DDThh:mm:ssZ",
  recordId: "Must be the id of a record",
  noRecord: "No such record",
  taken: "Another record has this value",
  neverClosed: "A quotation mark is never closed",
} as const;
