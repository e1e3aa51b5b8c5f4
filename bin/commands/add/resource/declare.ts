import type { Command } from "commander";
import type { CommandFrame } from "../../../../runtime/command/exit.js";

export function declareAddResource(add: Command, { root, finish }: CommandFrame): void {
  add
    .command("resource")
    .description("write resources/<name>.yaml, which is never overwritten")
    .argument("<name>", "plural, with dashes between words: order-items")
    .argument(
      "[fields...]",
      "name:kind, then :length, :places or :value,value; a resource or users instead of the kind is a link; list: before it: a list; ! at the end: required",
    )
    .action(async (name: string, fields: readonly string[]) => {
      const { addResource } = await import("./resource.js");
      finish(await addResource(root(), name, fields));
    });
}
