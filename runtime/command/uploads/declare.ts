import type { Command } from "commander";
import type { CommandFrame } from "../exit.js";
import type { UploadsPruneOptions } from "./prune.js";
import type { UploadsReprocessOptions } from "./reprocess.js";

export function declareUploads(program: Command, { root, finish }: CommandFrame): void {
  const uploads = program.command("uploads").description("manage stored files");

  uploads
    .command("prune")
    .description("delete the files that no record has used for a day; the server does it hourly")
    .option("--json", "print what was deleted as JSON")
    .action(async (options: UploadsPruneOptions) => {
      const { pruneUploads } = await import("./prune.js");
      finish(await pruneUploads(root(), options));
    });

  uploads
    .command("reprocess")
    .description("recreate the renditions of stored pictures whose profile was changed")
    .option("--profile <name>", "only for the fields with this profile")
    .option("--json", "print the result as JSON")
    .action(async (options: UploadsReprocessOptions) => {
      const { reprocessUploads } = await import("./reprocess.js");
      finish(await reprocessUploads(root(), options));
    });
}
