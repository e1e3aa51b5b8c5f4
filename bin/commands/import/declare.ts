import { type Command, InvalidArgumentError, Option } from "commander";
import { formats } from "../../../runtime/values/files/record-format.js";
import type { CommandFrame } from "../../exit.js";
import type { ImportOptions } from "./import.js";

/** Adds `import`. */
export function declareImport(program: Command, { root, finish }: CommandFrame): void {
  const command = program
    .command("import")
    .description("store the records of a file with the built app: validation, links, hooks")
    .argument("<resource>", "as in the file's name: order-items; users: accounts")
    .argument("<file>", "CSV, JSON or NDJSON; -: standard input")
    .addOption(new Option("--format <format>", "otherwise that of the extension").choices(formats))
    .addOption(
      pairs(
        "--map <column>=<field>",
        "the field of a column; without a field the column is skipped",
      ),
    )
    .addOption(
      pairs("--link <field>=<unique field>", "the file names targets by that field, not by id"),
    )
    .option("--upsert <unique field>", "change the record that has the same value, or create one")
    .addOption(
      new Option(
        "--on-error <what>",
        "stop: store nothing if a row is refused; skip: store the others",
      )
        .choices(["stop", "skip"])
        .default("stop"),
    )
    .option("--errors <file>", "where refused rows go; otherwise <file>.errors.csv or .ndjson")
    .option("--resume", "continue where an earlier import with skip was interrupted")
    .option("--no-resume", "start at row 1 even if an earlier import was interrupted")
    .option("--dry-run", "check everything and store nothing")
    .option("--spreadsheet", "the CSV was exported with --spreadsheet")
    .option("--json", "print the result as JSON")
    .action(async (resource: string, file: string, options: ImportOptions) => {
      if (said.size > 1) command.error("error: --resume and --no-resume exclude each other");
      const { importRecords } = await import("./import.js");
      finish(await importRecords(root(), { ...options, resource, file }));
    });
  // The second would only replace the first.
  const said = new Set<string>();
  for (const name of ["resume", "no-resume"]) command.on(`option:${name}`, () => said.add(name));
}

/** An option with a name and a value, which may be repeated. */
function pairs(flags: string, description: string): Option {
  return new Option(flags, description).argParser(
    (written: string, former: Readonly<Record<string, string>> = {}) => {
      const at = written.lastIndexOf("=");
      if (at < 1) throw new InvalidArgumentError("Write it as <name>=<name>.");
      const name = written.slice(0, at);
      if (Object.hasOwn(former, name)) throw new InvalidArgumentError(`${name} is there twice.`);
      return { ...former, [name]: written.slice(at + 1) };
    },
  );
}
