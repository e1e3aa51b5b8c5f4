import type { Command } from "commander";
import type { CommandFrame } from "../../../../runtime/command/exit.js";

export function declareAddResource(add: Command, { root, finish }: CommandFrame): void {
  add
    .command("resource")
    .description("write resources/<name>.yaml; an existing file is never overwritten")
    .argument("<name>", "plural, with dashes between words: order-items")
    .argument(
      "[fields...]",
      "name:kind, optionally with :length, :places or :value,value; for a link, a resource or users instead of the kind; for a list, list: before the kind; ! at the end: required",
    )
    .action(async (name: string, fields: readonly string[]) => {
      const { addResource } = await import("./resource.js");
      finish(await addResource(root(), name, fields));
    });
}
