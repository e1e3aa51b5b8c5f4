import { Argument, type Command } from "commander";
import type { CommandFrame } from "../../exit.js";
import { hookSignatures, policySignatures } from "./function/signature.js";
import type { HookName, PolicyName } from "./own-code.js";
import { routePath } from "./route/path.js";

/** Adds the group `add`. */
export function declareAdd(program: Command, { root, finish }: CommandFrame): void {
  const add = program.command("add").description("write a descriptor, or code of your own");

  add
    .command("resource")
    .description("write resources/<name>.yaml, which is never overwritten")
    .argument("<name>", "plural, with dashes between words: order-items")
    .argument(
      "[fields...]",
      "name:kind, then :length, :places or :value,value; a resource or users instead of the kind is a link; ! at the end: required",
    )
    .action(async (name: string, fields: readonly string[]) => {
      const { addResource } = await import("./resource/resource.js");
      finish(await addResource(root(), name, fields));
    });

  add
    .command("hook")
    .description("add a hook of a resource to server.ts, or to the file that has its hooks")
    .argument("<resource>", "whose writes it runs around")
    .addArgument(new Argument("<hook>", "when it runs").choices(Object.keys(hookSignatures)))
    .action(async (resource: string, hook: HookName) => {
      const { addHook } = await import("./own-code.js");
      finish(addHook(root(), resource, hook));
    });

  add
    .command("policy")
    .description("add a policy of a resource, which allows everything until you change it")
    .argument("<resource>", "whose records it judges")
    .addArgument(new Argument("<action>", "what it judges").choices(Object.keys(policySignatures)))
    .action(async (resource: string, action: PolicyName) => {
      const { addPolicy } = await import("./own-code.js");
      finish(addPolicy(root(), resource, action));
    });

  add
    .command("route")
    .description("add a GET route below /api to server.ts, or to the file that has its router")
    .argument("<path>", "such as reports/daily or reports/:year", routePath)
    .action(async (path: string) => {
      const { addOwnRoute } = await import("./own-code.js");
      finish(addOwnRoute(root(), path));
    });
}
