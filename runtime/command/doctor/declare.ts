import type { Command } from "commander";
import type { CommandFrame } from "../exit.js";
import type { DoctorOptions } from "./doctor.js";

export function declareDoctor(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("doctor")
    .description("check what the app depends on, and suggest fixes")
    .option(
      "--slow <log>",
      "suggest indexes for slow queries in a server's log; - is standard input",
    )
    .option("--repair", "recalculate wrong totals and build missing search indexes")
    .option("--json", "print the findings as JSON")
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import("./doctor.js");
      finish(await doctor(root(), options));
    });
}
