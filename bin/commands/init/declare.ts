import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandFrame } from "../../exit.js";

/** Adds `init`. */
export function declareInit(program: Command, { folder, finish }: CommandFrame): void {
  program
    .command("init")
    .description("write a starter app; existing files are kept")
    .argument("<dir>", "the new app's folder", folderName)
    .action(async (dir: string) => {
      const { init } = await import("./init.js");
      finish(await init(resolve(folder(), dir)));
    });
}

/** An empty name, as an unset variable of a script produces, would mean the current folder. */
function folderName(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Name a folder; the current one is called .");
}
