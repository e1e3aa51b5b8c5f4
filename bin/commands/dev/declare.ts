import type { Command } from "commander";
import type { CommandFrame } from "../../../runtime/command/exit.js";
import type { DevOptions } from "./dev.js";

export function declareDev(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("dev")
    .description("run the app and restart it on every change")
    .option(
      "--database-url-is-mine",
      "develop on a database on another machine; its tables change on every save",
    )
    .action(async (options: DevOptions) => {
      const { dev } = await import("./dev.js");
      finish(await dev(root(), options));
    });
}
