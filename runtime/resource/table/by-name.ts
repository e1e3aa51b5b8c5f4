import { Refusal } from "../../errors/index.js";
import { clientName } from "../../values/api/client-name.js";
import { nearest } from "../../values/nearest.js";
import type { ResourceDefinition } from "./definition.js";

/** Finds a resource by its name, `invoice-lines`, or by its name in code, `invoiceLines`. */
export interface ResourcesByName {
  get(name: string): ResourceDefinition | undefined;
  /** Returns a 404 that suggests the most similar resource name. */
  unknown(name: string): Refusal;
}

export function resourcesByName(definitions: readonly ResourceDefinition[]): ResourcesByName {
  const names = definitions.map(({ table }) => table.resource);
  const byName = new Map([
    ...definitions.map((one) => [clientName(one.table.resource), one] as const),
    ...definitions.map((one) => [one.table.resource, one] as const),
  ]);
  return {
    get: (name) => byName.get(name),
    unknown(name) {
      const shown = name.slice(0, 100);
      const near = nearest(shown, names);
      const hint = near === null ? "" : `: did you mean "${near}"?`;
      return new Refusal("NOT_FOUND", { error: `There is no resource "${shown}"${hint}` });
    },
  };
}
