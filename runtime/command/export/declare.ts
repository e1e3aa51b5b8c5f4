import { type Command, Option } from "commander";
import { formats } from "../../values/files/record-format.js";
import type { CommandFrame } from "../exit.js";
import type { ExportOptions } from "./export.js";

export function declareExport(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("export")
    .description("write the records of a resource to a file or to standard output")
    .argument("<resource>", "as in the descriptor's file name: order-items")
    .addOption(
      new Option(
        "--format <format>",
        "the format; by default from the output's extension, or CSV",
      ).choices(formats),
    )
    .option("--output <file>", "the file, created once it is complete; -: standard output")
    .option("--where <json>", "only records that match it, as in the API")
    .option("--fields <names>", "only these fields, separated by commas; id is always included")
    .option(
      "--spreadsheet",
      "CSV for spreadsheets: with a byte order mark, and without cells that they would execute",
    )
    .option("--json", "print the result as JSON; needs --output of a file")
    .action(async (resource: string, options: ExportOptions) => {
      const { exportRecords } = await import("./export.js");
      finish(await exportRecords(root(), resource, options));
    });
}
