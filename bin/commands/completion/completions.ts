import type { Command } from "commander";

/** The completions at one position of a command line. */
export interface Completion {
  /** The words of the command, such as `add hook`; empty for the program itself. */
  readonly command: string;
  /**
   * `commands`, `options`, an option (for its value), or the index of an argument, from 0; `*` for all remaining
   * arguments.
   */
  readonly place: string;
  /** Words, or one of the marks below. */
  readonly words: readonly string[];
}

/** Marks that a script replaces with the app's resources, with file names, or with nothing. */
export const marks = { resources: "@resources", files: "@files", nothing: "@nothing" } as const;

/** Everything that a shell can complete, by command. */
export function completionsOf(command: Command, words: readonly string[] = []): Completion[] {
  const own = words.join(" ");
  const at = (place: string, list: readonly string[]) =>
    list.length === 0 ? [] : [{ command: own, place, words: list }];
  const below = command.commands.map((one) => one.name());
  const flags = command.options.flatMap(({ short, long }) => [short, long].filter(isText));
  const values = command.options
    .filter(({ required, optional }) => required || optional)
    .flatMap(({ short, long, flags: written, argChoices }) =>
      [short, long]
        .filter(isText)
        .flatMap((flag) => at(flag, argChoices ?? [markOf(/[<[](.*)[\]>]/.exec(written)?.[1])])),
    );
  const places = command.registeredArguments.flatMap((one, place) =>
    at(one.variadic ? "*" : String(place), one.argChoices ?? [markOf(one.name())]),
  );
  return [
    ...at("commands", below),
    ...at(
      "options",
      [...flags, "--help"].filter((flag, n, all) => all.indexOf(flag) === n),
    ),
    ...values,
    ...places,
    ...command.commands.flatMap((one) => completionsOf(one, [...words, one.name()])),
  ];
}

/** Returns the mark for a placeholder of the help, such as `<resource[.field]>` or `<dir>`. */
function markOf(placeholder = ""): string {
  if (placeholder.startsWith("resource")) return marks.resources;
  return /^(?:dir|file|folder|log)\b/.test(placeholder) ? marks.files : marks.nothing;
}

function isText(flag: string | undefined): flag is string {
  return flag !== undefined;
}
