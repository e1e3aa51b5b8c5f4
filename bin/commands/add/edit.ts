import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { relative } from "node:path";
import type { SourceFile } from "ts-morph";
import { CommandRefused, type ExitCode, exit } from "../../exit.js";
import { fail, passOn, sayDone } from "../../report.js";
import { NotEditable } from "./code/not-editable.js";
import { type Outcome, type OwnCode, openOwnCode } from "./code/own-code.js";

/** Code that is added to the app's own. */
export interface Addition {
  /** `hook beforeCreate of products` */
  readonly words: string;
  /** What it takes; asked again of the edited code, it finds what was added. */
  edit(code: OwnCode): Outcome;
  /** What the author has to add where the code cannot be edited safely. */
  readonly toPaste: readonly string[];
}

/** Adds code to `server.ts`, or a file that it imports; refuses what is there, and prints what it cannot add safely. */
export function editOwnCode(root: string, addition: Addition): ExitCode {
  try {
    const outcome = addition.edit(openOwnCode(root));
    if ("there" in outcome) {
      throw new CommandRefused(`There is a ${addition.words} already: ${outcome.there}`);
    }
    const path = outcome.file.getFilePath();
    replaceFile(path, editedText(root, addition, outcome.file));
    sayDone(`${relative(root, path)} has the ${addition.words}`);
    return exit.done;
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    fail(error.message, "nothing was changed; this is the code to paste");
    passOn(addition.toPaste.map((line) => `${line}\n`).join(""));
    return exit.mustChange;
  }
}

/** The file with what is added; refuses where that is not found in it afterwards. */
function editedText(root: string, addition: Addition, file: SourceFile): string {
  const path = file.getFilePath();
  const bytes = readFileSync(path);
  const former = bytes.toString("utf8");
  if (!Buffer.from(former).equals(bytes)) {
    throw new NotEditable(`${relative(root, path)} is not plain UTF-8`);
  }
  const edited = file.getFullText();
  const found = addition.edit(openOwnCode(root, new Map([[path, edited]])));
  if (!("there" in found)) throw new NotEditable(`${relative(root, path)} is too unusual to edit`);
  return former.startsWith("\uFEFF") ? `\uFEFF${edited}` : edited;
}

/** Writes a file whole or not at all, however full the disk is; a link stays one. */
function replaceFile(link: string, text: string): void {
  const path = realpathSync(link);
  accessSync(path, constants.W_OK);
  const draft = `${path}.${randomBytes(4).toString("hex")}.new`;
  try {
    writeFileSync(draft, text, { mode: statSync(path).mode, flag: "wx" });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
