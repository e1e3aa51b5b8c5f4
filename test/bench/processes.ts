import type { Check, Result } from "./check.js";
import type { Figure } from "./figure.js";
import { measureGenerate, measureTypeCheck } from "./many.js";
import { createDatabase } from "./seed.js";
import { measureCommand, measureStart } from "./start.js";

/** What is timed as whole processes: the command, the compiler over what it made, the server's start. */
export const processes: readonly Check[] = [
  { name: "service --help", run: async () => results(await measureCommand()) },
  { name: "generate", run: async () => results(await measureGenerate()) },
  { name: "type check", run: async () => results(await measureTypeCheck()) },
  {
    name: "server, start and memory",
    async run({ adminUrl }) {
      return results(await measureStart(await createDatabase(adminUrl, "bench_start")));
    },
  },
];

function results(figures: readonly Figure[]): readonly Result[] {
  return figures.map(({ name, measured, unit, target, met }) => ({
    name,
    measured: `${measured} ${unit}`,
    target: target === null ? "–" : `≤ ${target} ${unit}`,
    met,
  }));
}
