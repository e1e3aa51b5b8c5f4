import type { Services } from "../../own-code/index.js";

/** Converts a record's JSON text for app code. */
export function appRecord({ signFiles }: Pick<Services, "signFiles">, json: string) {
  return JSON.parse(signFiles(json));
}
