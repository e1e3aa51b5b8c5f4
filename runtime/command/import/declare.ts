import { type Command, InvalidArgumentError, Option } from "commander";
import { decimals, encodings } from "../../values/csv/options.js";
import { formats } from "../../values/files/record-format.js";
import type { CommandFrame } from "../exit.js";
import type { ImportOptions } from "./import.js";

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of options
export function declareImport(program: Command, { root, finish }: CommandFrame): void {
  const command = program
    .command("import")
    .description(
      "import the records of a file through the built app, with validation, links and hooks",
    )
    .argument("<resource>", "as in the descriptor's file name: order-items; users for accounts")
    .argument("[file]", "CSV, JSON or NDJSON; -: standard input")
    .option("--from <resource>", "for users, instead of a file: an adopted table of people")
    .addOption(
      new Option("--format <format>", "the format; by default from the extension").choices(formats),
    )
    .addOption(
      new Option(
        "--map <column>=<field>",
        "the field for a column; a column without a field is skipped",
      ).argParser(namedValues("last")),
    )
    .addOption(
      new Option(
        "--link <field>=<unique field>",
        "the file identifies linked records by that field instead of their id",
      ).argParser(namedValues("last")),
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
    .addOption(
      new Option("--encoding <name>", "encoding of the CSV (default: UTF-8)").choices(encodings),
    )
    .addOption(
      new Option("--decimal <sign>", "decimal separator of the numbers (default: a point)").choices(
        decimals,
      ),
    )
    .option(
      "--date-format <format>",
      "format of dates and times: YYYY YY MM M DD D HH H mm ss, and the characters between them",
    )
    .option("--timezone <zone>", "time zone of times without one: Europe/Berlin")
    .option("--null <words>", "the cell values that mean empty, separated by commas")
    .addOption(
      new Option("--set <field>=<value>", "the value of a field in all records").argParser(
        namedValues("first"),
      ),
    )
    .addOption(
      new Option(
        "--values <field>:<cell>=<value>",
        "the value that a cell of a field stands for; several are separated by commas",
      ).argParser(listed),
    )
    .addOption(
      new Option(
        "--join <field>=<column>+<column>",
        "the columns of a field, whose cells are joined with spaces",
      ).argParser(listed),
    )
    .option("--json", "print the result as JSON")
    .action(async (resource: string, file: string | undefined, options: ImportOptions) => {
      if (said.size > 1) command.error("error: --resume and --no-resume exclude each other");
      const { from } = options;
      if (from !== undefined && resource !== "users") command.error("error: --from is for users");
      if (from !== undefined && file !== undefined) {
        command.error("error: --from and a file exclude each other");
      }
      const { importPeople, importRecords } = await import("./import.js");
      if (from !== undefined) return finish(await importPeople(root(), { ...options, from }));
      if (file === undefined) return command.error("error: missing required argument 'file'");
      finish(await importRecords(root(), { ...options, resource, file }));
    });
  // If both were accepted, the second option would silently replace the first.
  const said = new Set<string>();
  for (const name of ["resume", "no-resume"]) command.on(`option:${name}`, () => said.add(name));
}

/** Parses a repeatable option `<name>=<name>`, split at its first or last equals sign. */
function namedValues(sign: "first" | "last") {
  return (written: string, former: Readonly<Record<string, string>> = {}) => {
    const at = sign === "first" ? written.indexOf("=") : written.lastIndexOf("=");
    if (at < 1) throw new InvalidArgumentError("Write it as <name>=<name>.");
    const name = written.slice(0, at);
    if (Object.hasOwn(former, name)) throw new InvalidArgumentError(`${name} appears twice.`);
    return { ...former, [name]: written.slice(at + 1) };
  };
}

function listed(written: string, former: readonly string[] = []): readonly string[] {
  return [...former, written];
}
