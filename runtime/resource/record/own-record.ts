import type { Services } from "../../own-code/index.js";

/** A record as own code gets it, from its JSON text. */
export function ownRecord({ signFiles }: Pick<Services, "signFiles">, json: string) {
  return JSON.parse(signFiles(json));
}
