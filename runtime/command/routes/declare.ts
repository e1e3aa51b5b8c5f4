import type { Command } from "commander";
import type { CommandFrame } from "../exit.js";
import type { RoutesOptions } from "./routes.js";

export function declareRoutes(program: Command, { root, finish }: CommandFrame): void {
  program
    .command("routes")
    .description("list every route of the built app, with who may use it")
    .option("--json", "print the routes as JSON")
    .action(async (options: RoutesOptions) => {
      const { listRoutes } = await import("./routes.js");
      finish(await listRoutes(root(), options));
    });
}
