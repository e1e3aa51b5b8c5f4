import type { Config } from "../../config/index.js";
import {
  type ImageField,
  type Reprocessed,
  reprocessNow,
  StorageError,
} from "../../uploads/index.js";
import { didYouMean } from "../../values/nearest.js";
import { withAppServices } from "../app/services.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { startBar } from "../progress.js";
import { count, sayAside, sayDone, sayJson, warn } from "../report.js";
import { imageFields } from "./image-fields.js";

export interface UploadsReprocessOptions {
  readonly profile?: string;
  readonly json?: true;
}

/**
 * Recreates the renditions of stored pictures whose profile was changed. Missing or damaged
 * pictures are reported and skipped: running the command again would not repair them.
 */
export async function reprocessUploads(
  root: string,
  { profile, json }: UploadsReprocessOptions,
): Promise<ExitCode> {
  const result = await withAppServices(root, async (services) => {
    const { profiles } = services.config.uploads;
    if (profile !== undefined) requireProfile(profiles, profile);
    const chosen = imageFields(root).filter(
      (field) => profile === undefined || field.profile === profile,
    );
    for (const one of chosen) requireProfile(profiles, one.profile, one);
    return withProgressBar((progress) => reprocessNow(services, chosen, progress));
  });
  if (json) sayJson(result);
  else report(result);
  return exit.done;
}

/** Refuses a profile that `service.yaml` does not define, whether it comes from the user or from a field. */
function requireProfile(
  profiles: Config["uploads"]["profiles"],
  name: string,
  of: Pick<ImageField, "resource" | "field"> | null = null,
): void {
  if (Object.hasOwn(profiles, name)) return;
  const known = Object.keys(profiles);
  const user = of === null ? "" : `, which ${of.resource}.${of.field} has`;
  throw new CommandRefused(
    `There is no image profile ${JSON.stringify(name)}${user}`,
    didYouMean(name, known) ?? `there are: ${known.join(", ")}`,
  );
}

/** Shows the progress of the work. A failure of the storage must be fixed before the command can continue. */
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
