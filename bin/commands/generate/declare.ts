import { type Command, InvalidArgumentError } from "commander";
import type { CommandFrame } from "../../../runtime/command/exit.js";
import type { GenerateOptions } from "./generate.js";

export function declareGenerate(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("generate")
    .description("write generated/ and, if the schema changed, one new migration")
    .option("--check", "write nothing; exit 1 and name the files if anything differs")
    .option("--name <what>", "name the new migration", migrationWords)
    .option("--client <folder>", "write the client into this folder too, for a front end")
    .option(
      "--allow-destructive <resource[.field]>",
      "agree to a change that loses data; may be repeated",
      collectTargets,
    )
    .option("--json", "print the result as JSON")
    .action(async (options: GenerateOptions) => {
      const { generateCommand } = await import("./generate.js");
      finish(await generateCommand(root(), options));
    });
}

/** Checks that words can be part of a migration's file name on every file system. */
function migrationWords(text: string): string {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (/^[a-z0-9_]{1,60}$/.test(words)) return words;
  throw new InvalidArgumentError("Use up to 60 letters, digits and dashes.");
}

function collectTargets(text: string, earlier: readonly string[] = []): readonly string[] {
  if (/^[a-z][a-z0-9-]*(\.[a-z][A-Za-z0-9]*)?$/.test(text)) return [...earlier, text];
  throw new InvalidArgumentError('Write "products" or "products.price".');
}
