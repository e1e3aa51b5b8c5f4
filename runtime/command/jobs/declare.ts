import { type Command, Option } from "commander";
import type { CommandFrame } from "../exit.js";
import type { JobOptions, JobsListOptions } from "./jobs.js";

export function declareJobs(program: Command, { root, finish }: CommandFrame): void {
  const jobs = program.command("jobs").description("manage waiting, running and failed jobs");

  jobs
    .command("list")
    .description("list jobs, newest first")
    .option("--name <name>", "only jobs with this name")
    .addOption(
      new Option("--state <state>", "only jobs in this state").choices([
        "waiting",
        "running",
        "failed",
      ]),
    )
    .option("--json", "print them as JSON")
    .action(async (options: JobsListOptions) => {
      const { listAppJobs } = await import("./jobs.js");
      finish(await listAppJobs(root(), options));
    });

  jobs
    .command("retry")
    .description("retry a failed job")
    .argument("<id>", "as service jobs list shows it")
    .option("--json", "print its id as JSON")
    .action(async (id: string, options: JobOptions) => {
      const { retryAppJob } = await import("./jobs.js");
      finish(await retryAppJob(root(), id, options));
    });

  jobs
    .command("cancel")
    .description("delete a waiting or failed job")
    .argument("<id>", "as service jobs list shows it")
    .option("--json", "print its id as JSON")
    .action(async (id: string, options: JobOptions) => {
      const { cancelAppJob } = await import("./jobs.js");
      finish(await cancelAppJob(root(), id, options));
    });
}
