import type { Config } from "../../../runtime/config/index.js";
import { type Reprocessed, reprocessNow, StorageError } from "../../../runtime/uploads/index.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { requireApp } from "../../app/folder.js";
import { withAppServices } from "../../app/services.js";
import { CommandRefused, type ExitCode, exit } from "../../exit.js";
import { startBar } from "../../progress.js";
import { count, failProblems, sayAside, sayDone, sayJson, warn } from "../../report.js";
import { imageFields } from "./image-fields.js";

export interface UploadsReprocessOptions {
  readonly profile?: string;
  readonly json?: true;
}

/**
 * Recreates the renditions of stored pictures whose profile was changed. A picture that is missing from the
 * storage, or damaged there, is reported and skipped: running the command again would not repair it.
 */
export async function reprocessUploads(
  root: string,
  { profile, json }: UploadsReprocessOptions,
): Promise<ExitCode> {
  requireApp(root);
  const { fields, problems } = imageFields(root);
  if (problems.length > 0) {
    failProblems(problems, "nothing was done");
    return exit.mustChange;
  }
  const result = await withAppServices(root, async (services) => {
    if (profile !== undefined) refuseUnknown(services.config.uploads.profiles, profile);
    const chosen = fields.filter((field) => profile === undefined || field.profile === profile);
    return withProgressBar((progress) => reprocessNow(services, chosen, progress));
  });
  if (json) sayJson(result);
  else report(result);
  return exit.done;
}

function refuseUnknown(profiles: Config["uploads"]["profiles"], name: string): void {
  if (Object.hasOwn(profiles, name)) return;
  const known = Object.keys(profiles);
  throw new CommandRefused(
    `There is no image profile ${JSON.stringify(name)}`,
    didYouMean(name, known) ?? `there are: ${known.join(", ")}`,
  );
}

/** Shows the progress of the work; a storage that fails has to be fixed first. */
async function withProgressBar<T>(
  work: (report: (seen: number, total: number) => void) => Promise<T>,
) {
  const bar = startBar("pictures");
  try {
    return await work(bar.show);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new CommandRefused(
      `The storage fails: ${error.message}`,
      "fix it and run this again; the finished pictures are skipped then",
    );
  } finally {
    bar.end();
  }
}

function report({ done, missing, unreadable }: Reprocessed): void {
  for (const key of missing) warn(`${key} is not in the storage and was skipped`);
  for (const key of unreadable) warn(`${key} is damaged and was skipped`);
  if (done + missing.length + unreadable.length === 0) {
    sayAside("Every picture has the renditions of its profile");
  } else sayDone(`${count(done, "picture")} reprocessed`);
}
