import { describedResources } from "./generated.js";

/** Returns the resources of the app in this folder that have record histories. */
export function historiesOf(root: string): readonly string[] {
  return describedResources(root)
    .filter(({ changes }) => typeof changes === "object" && changes.history !== undefined)
    .map(({ name }) => name);
}
