import type { Command } from "commander";
import type { CommandFrame } from "../../../runtime/command/exit.js";
import type { DbResetOptions } from "./reset.js";

export function declareDbReset(program: Command, { root, finish }: CommandFrame): void {
  const db = program.commands.find((command) => command.name() === "db");
  db?.command("reset")
    .description("empty the embedded database")
    .option("--yes", "do not ask for confirmation")
    .action(async (options: DbResetOptions) => {
      const { resetDatabase } = await import("./reset.js");
      finish(await resetDatabase(root(), options));
    });
}
