export { BackupProblem } from "./archive/problem.js";
export { type Restored, restoreArchive } from "./restore/restore.js";
export { hasContents, lastBackup } from "./save/last.js";
export { type Backup, saveBackup } from "./save/save.js";
export { type ResourceNames, resourceOf } from "./tables/find.js";
