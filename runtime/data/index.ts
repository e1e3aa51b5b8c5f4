export {
  type ImportEvent,
  type ImportRequest,
  type ImportResult,
  importWanted,
  type Mistake,
} from "./import/request.js";
export { type ImportingApp, runImport } from "./import/start.js";
export { recordsFile } from "./write/records-file.js";
