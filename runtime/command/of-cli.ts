import type { Command } from "commander";
import { CommandRefused, exit } from "./exit.js";

/** The commands of `service-cli`, by group. */
const commands = {
  "": ["init", "generate", "dev", "add", "adopt", "upgrade", "completion"],
  db: ["reset"],
} as const;

/**
 * Declares commands that only `service-cli` has, so that running one prints an explanation; the help does not list
 * them.
 */
export function declareOfCli(program: Command): void {
  for (const [group, names] of Object.entries(commands)) {
    const parent = group === "" ? program : program.commands.find((one) => one.name() === group);
    for (const name of names) {
      parent
        ?.command(name, { hidden: true })
        .argument("[words...]")
        .helpOption(false)
        .allowUnknownOption()
        .action(() => {
          const words = [group, name].filter((word) => word !== "").join(" ");
          throw new CommandRefused(
            `service ${words} is a command of the package service-cli: npm install --save-dev service-cli`,
            null,
            exit.wrongUsage,
          );
        });
    }
  }
}
