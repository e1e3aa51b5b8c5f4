import { counted } from "./en.js";
import { enList } from "./list.js";

/** Texts about actions on many records; separate, so that the sign-in page does not load them. */
export const enBulk = Object.freeze({
  ...enList,
  selection: (things: string) => `Selected ${things}`,
  selected: (count: string) => `${count} selected`,
  selectAll: (count: string) => `Select all ${count} that match`,
  allSelected: (count: string, when: string) => `All ${count} that matched at ${when}`,
  clearSelection: "Clear the selection",
  edit: "Edit…",
  export: "Export…",
  delete: "Delete…",
  merge: "Merge…",
  editTitle: (count: string, things: string) => `Edit ${count} ${things}`,
  deleteTitle: (count: string, things: string) => `Delete ${count} ${things}?`,
  deleteKept: "They are moved to the trash. Records that other records require are not deleted.",
  deleteText: "This cannot be undone. Records that other records require are not deleted.",
  deleteButton: (count: string, things: string) => `Delete ${count} ${things}`,
  editButton: (count: string, things: string) => `Change ${count} ${things}`,
  editText:
    "All of them get the same values. Records that have changed since you selected them are left unchanged.",
  anotherField: "Another field",
  removeField: (label: string) => `Leave out ${label}`,
  preview: "What the edit changes",
  unchanged: "unchanged",
  more: (count: string) => `and ${count} more`,
  countingDependants: "Counting what belongs to them …",
  dependantsUnknown: "What belongs to them could not be counted.",
  dependantsOfFirst: (count: string) => `These are the numbers for the first ${count}.`,
  undoText: (count: string) => `Changes to more than ${count} records at once cannot be undone.`,
  undone: (done: string, total: string, things: string) =>
    done === total
      ? `Undone: ${done} of ${total} ${things}`
      : `Undone: ${done} of ${total} ${things}; the others have changed since`,
  typeNumber: (count: string) => `Type ${count} to confirm`,
  wrongNumber: "The number does not match.",
  counting: "Counting …",
  nothingLeft: "Nothing matches any more.",
  running: (done: string, total: string) => `${done} of ${total}`,
  stop: "Stop",
  stopping: "Stopping after the current records …",
  again: "Try again",
  edited: (done: string, total: string, things: string) => `${done} of ${total} ${things} changed`,
  deleted: (done: string, total: string, things: string) => `${done} of ${total} ${things} deleted`,
  refusals: (count: number) =>
    `${counted(count, "was refused and has not changed.", "were refused and have not changed.")}`,
  moreRefusals: (count: number) => `and ${count} more`,
  saveRefusals: "Save the list",
  refusalsName: (things: string) => `${things} refused.csv`,
  reason: "Reason",
  noField: "There is no field that you may change.",
  exportTitle: (count: string, things: string) => `Export ${count} ${things}`,
  exportColumns: "The displayed columns in their order, with the list's filters.",
  exportWhole:
    "All fields of the records that match the list's filters, with the API's names and formats. The command `service import` reads this file.",
  exportButton: "Save file",
  exported: (count: string) => `${count} saved`,
  format: "Format",
  csv: "CSV, for spreadsheets",
  exact: "CSV, for programs",
  json: "JSON",
});

/** Texts about editing a value in a list. */
export const enCell = Object.freeze({
  editor: (label: string, title: string) => `${label}: ${title}`,
  loading: "Loading the whole text …",
  saving: "Saving …",
  met: (value: string) =>
    value === ""
      ? "Cleared elsewhere in the meantime. Save again to overwrite that, or cancel."
      : `Changed elsewhere to “${value}” in the meantime. Save again to overwrite that, or cancel.`,
  gone: "This was deleted elsewhere.",
  failed: (title: string, why: string) => `${title} was not saved. ${why}`,
});

/** Texts about pasting from a spreadsheet. */
export const enPaste = Object.freeze({
  title: "Paste",
  titleOf: (values: number, rows: number) =>
    `Paste ${counted(values, "value", "values")} into ${counted(rows, "row", "rows")}?`,
  preview: "What the paste changes",
  button: (values: number) => `Change ${counted(values, "value", "values")}`,
  nothing: "The paste changes nothing",
  tooMany: "This is too much to paste",
  tooManyText: (most: string) => `At most ${most} rows are pasted at once. Import a file for more.`,
  columnsLeft: (left: number) => `${counted(left, "column does", "columns do")} not fit here.`,
  rowsLeft: (left: number) => `${counted(left, "row does", "rows do")} not fit on this page.`,
  fixed: (label: string) => `${label}: cannot be changed by pasting.`,
  problems: (left: number) =>
    `${counted(left, "value cannot be used and is", "values cannot be used and are")} left out:`,
  required: "This cannot be empty",
  noneCalled: "No record has this name",
  severalCalled: "Several records have this name",
  changed: "It was changed elsewhere in the meantime.",
});

/** Texts of the trash. */
export const enTrash = Object.freeze({
  title: (label: string) => `Trash: ${label}`,
  back: (things: string) => `Back to ${things}`,
  kept: (days: number) => `Deleted records are kept for ${counted(days, "day", "days")}.`,
  empty: "The trash is empty.",
  forbidden: "Your role may not see deleted records.",
  name: "Name",
  by: "Deleted by",
  at: "Deleted",
  unknown: "Unknown",
  selectAll: "Select all on this page",
  select: (title: string) => `Select ${title}`,
  selectFirst: "Select records first",
  restore: "Restore",
  remove: "Delete permanently",
  removeTitle: (count: string, things: string) => `Delete ${count} ${things} permanently?`,
  removeText: "This cannot be undone. Deleted records that belong to them are deleted too.",
  restored: (done: string, total: string, things: string) =>
    `${done} of ${total} ${things} restored`,
  removed: (done: string, total: string, things: string) =>
    `${done} of ${total} ${things} deleted permanently`,
  refused: (title: string, reason: string) => `${title}: ${reason}`,
});
