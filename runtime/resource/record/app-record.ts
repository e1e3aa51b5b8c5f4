import type { Services } from "../../own-code/index.js";

/** A record for app code, from its JSON text. */
export function appRecord({ signFiles }: Pick<Services, "signFiles">, json: string) {
  return JSON.parse(signFiles(json));
}
