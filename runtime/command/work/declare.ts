import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandFrame } from "../exit.js";
import type { WorkOptions } from "./work.js";

export function declareWork(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("work")
    .description("run jobs of the built app without serving, until it is stopped")
    .addOption(
      new Option(
        "--concurrency <n>",
        "number of concurrent jobs (default: jobs.concurrency of service.yaml, or 5 if that is 0)",
      ).argParser(wholeNumber),
    )
    .addOption(new Option("--together <n>").argParser(wholeNumber).hideHelp())
    .action(async (options: WorkOptions) => {
      const { work } = await import("./work.js");
      finish(await work(root(), options));
    });
}

function wholeNumber(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= 1_000) return number;
  throw new InvalidArgumentError("Write a whole number from 1 to 1000.");
}
