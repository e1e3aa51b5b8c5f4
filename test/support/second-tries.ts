import { appendFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Vitest: the titles of the tests that passed only when they were tried again, at the end of a run; the others of its
 * reporters mark them among thousands. `.ci/run` collects those of its runs in the file `SECOND_TRIES`.
 */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const titles = modules
      .flatMap((module) => [...module.children.allTests("passed")])
      .filter((test) => test.diagnostic()?.flaky === true)
      .map(titleOf);
    if (titles.length === 0) return;
    const text = `Passed only when they were tried again:\n${titles.join("\n")}\n`;
    console.log(`\n${text}`);
    const { SECOND_TRIES: path } = process.env;
    if (path !== undefined) appendFileSync(path, text);
  }
}

function titleOf({ module, fullName }: TestCase): string {
  return `  ${module.relativeModuleId} > ${fullName}`;
}
