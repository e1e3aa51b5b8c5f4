import { Argument, type Command } from "commander";
import type { CommandFrame } from "../../../runtime/command/exit.js";
import { hooks, policies } from "./function/signature.js";
import { declareAddResource } from "./resource/declare.js";
import { routePath } from "./route/path.js";

export function declareAdd(program: Command, frame: CommandFrame): void {
  const { root, finish } = frame;
  const add = program.command("add").description("write a descriptor, or add app code");
  declareAddResource(add, frame);

  add
    .command("hook")
    .description("add a hook for a resource to server.ts, or to the file with its hooks")
    .argument("<resource>", "resource whose writes run the hook")
    .addArgument(new Argument("<hook>", "name of the hook").choices(Object.keys(hooks)))
    .action(async (resource: string, name: keyof typeof hooks) => {
      const { addAppFunction } = await import("./app-code.js");
      finish(addAppFunction(root(), resource, { group: "hooks", name, signature: hooks[name] }));
    });

  add
    .command("policy")
    .description("add a policy for a resource, which allows everything until you change it")
    .argument("<resource>", "resource whose records the policy checks")
    .addArgument(
      new Argument("<action>", "action that the policy checks").choices(Object.keys(policies)),
    )
    .action(async (resource: string, name: keyof typeof policies) => {
      const { addAppFunction } = await import("./app-code.js");
      finish(
        addAppFunction(root(), resource, { group: "policies", name, signature: policies[name] }),
      );
    });

  add
    .command("route")
    .description("add a GET route below /api to server.ts, or to the file with the app's router")
    .argument("<path>", "such as reports/daily or reports/:year", routePath)
    .action(async (path: string) => {
      const { addAppRoute } = await import("./app-code.js");
      finish(addAppRoute(root(), path));
    });
}
