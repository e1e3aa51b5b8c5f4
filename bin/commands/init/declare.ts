import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandFrame } from "../../../runtime/command/exit.js";
import type { Place } from "./deploy/places.js";
import type { InitOptions } from "./init.js";
import { starterNames } from "./starters.js";

/** Defined here because printing the help loads no other module. */
export const places: readonly Place[] = ["docker", "systemd", "kubernetes"];

export function declareInit(program: Command, { folder, finish }: CommandFrame): void {
  program
    .command("init")
    .description("write a starter app; existing files are kept")
    .argument("<dir>", "the new app's folder", folderName)
    .addOption(
      new Option(
        "--template <name>",
        "the starter app to write (default: one with a single resource)",
      ).choices(starterNames),
    )
    .addOption(
      new Option(
        "--deploy <place>",
        "also write the files for this kind of deployment; may be repeated",
      )
        .choices(places)
        .argParser(alsoPlace),
    )
    .action(async (dir: string, options: InitOptions) => {
      const { init } = await import("./init.js");
      finish(await init(resolve(folder(), dir), options));
    });
}

/** Rejects an empty name, which an unset variable in a script produces and which would mean the current folder. */
function folderName(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Name a folder; use . for the current one.");
}

function alsoPlace(word: string, former: readonly Place[] = []): readonly Place[] {
  const place = places.find((one) => one === word);
  if (place !== undefined) return [...former, place];
  throw new InvalidArgumentError(`The allowed values are ${places.join(", ")}.`);
}
