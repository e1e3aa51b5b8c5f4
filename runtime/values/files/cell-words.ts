/** Messages about the cells of a file, shared by `service import` and the dashboard's import. */
export const cellWords = {
  number: "Must be a number as in JSON: 1234.5",
  numberIn: (example: string) => `Must be a number: ${example}`,
  boolean: "Must be true or false",
  date: "Must be a date: YYYY-MM-DD",
  dateIn: (format: string) => `Must be a date: ${format}`,
  time: "Must be a time: YYYY-MM-DDThh:mm:ssZ",
  timeIn: (format: string) => `Must be a time: ${format}`,
  noZone: "This time has no time zone, and none is named for the file",
  skippedTime: (zone: string) => `Clocks in ${zone} skip this time`,
  repeatedTime: (zone: string) => `Clocks in ${zone} show this time twice`,
  recordId: "Must be the id of a record",
  recordIds: "Must be a list of ids of records",
  listedTwice: "Is in the list already",
  noRecord: "No such record",
  taken: "Another record has this value",
  neverClosed: "A quotation mark is never closed",
} as const;
