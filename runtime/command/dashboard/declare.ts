import type { Command } from "commander";
import type { CommandFrame } from "../exit.js";

export function declareDashboard(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("dashboard")
    .description("serve the dashboard for the API at SERVICE_API_URL")
    .action(async () => {
      const { dashboardCommand } = await import("./dashboard.js");
      finish(await dashboardCommand(root()));
    });
}
