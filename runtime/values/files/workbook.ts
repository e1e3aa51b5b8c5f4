const ways =
  "the sheet as “CSV UTF-8”: in Excel by File, Save As; in Google Sheets by File, Download; in LibreOffice by Save As, Text CSV";

/** How to save a file that can be imported from a workbook. */
export const workbookHint = `save ${ways}`;

/** The message if a workbook is given instead of a file that can be imported. */
export const workbookRefusal = `Spreadsheet workbooks cannot be read. Save ${ways}`;

/** Whether the file name has the extension of a workbook. */
export function isWorkbookName(name: string): boolean {
  return /\.(?:xlsx|xlsm|xlsb|xls|ods|numbers)$/i.test(name);
}

/** Whether a file begins like a workbook: a ZIP archive, or Excel's format before 2007. */
export function workbookMark(bytes: Uint8Array): boolean {
  return [zip, compound].some((mark) => mark.every((byte, at) => bytes[at] === byte));
}

const zip = [0x50, 0x4b, 0x03, 0x04];
const compound = [0xd0, 0xcf, 0x11, 0xe0];
