export { type Format, formatOfName, formats } from "./format.js";
export { recordsFile } from "./write/records-file.js";
