import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The projects in this order, since a worker serves one project only: the many short files at the end leave no worker
 * alone with a long one.
 */
const projects = ["database", "faults", "unit", "dashboard"];

/** Slowest files of the long run, in this order within each project; the others follow. */
const longest = [
  "test/releases.long.test.ts",
  "test/docs/start.long.test.ts",
  "test/describe/generators.long.test.ts",
  "test/runtime/auth/privacy/time.long.test.ts",
  "test/faults/live-migration.long.test.ts",
  "test/faults/mixed-requests.long.test.ts",
  "test/faults/greedy-clients.long.test.ts",
  "test/faults/picture-burst.long.test.ts",
  "test/faults/killed-migration.long.test.ts",
  "test/app/random-rights.test.ts",
  "test/app/generated-requests.test.ts",
  "test/dashboard/slow-screens.long.test.ts",
  "test/dashboard/screens.test.ts",
  "test/dashboard/reading.long.test.ts",
  "test/dashboard/roles.long.test.ts",
];

/** Slowest files of `npm test`: the first one alone, at the end of its project, would delay it by a minute or two. */
const longestOfShort = [
  "test/migrations.test.ts",
  "test/cli/dev-changes.test.ts",
  "test/runtime/mail/delivery.test.ts",
  "test/cli/dev.test.ts",
  "test/describe/document.test.ts",
  "test/cli/db.test.ts",
  "test/runtime/db/pipeline.test.ts",
  "test/cli/own-tests.test.ts",
];

/** Vitest: the order of the long run. A checkout has no times of earlier runs to go by. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return inOrder(await super.sort(files), longest);
  }
}

/** Vitest: the order of `npm test`. */
export class LongestOfShortFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return inOrder(await super.sort(files), longestOfShort);
  }
}

function inOrder(
  files: readonly TestSpecification[],
  first: readonly string[],
): TestSpecification[] {
  return files.toSorted(
    (one, other) => projectOf(one) - projectOf(other) || rank(first, one) - rank(first, other),
  );
}

function projectOf({ project }: TestSpecification): number {
  return projects.indexOf(project.name);
}

function rank(paths: readonly string[], { moduleId }: TestSpecification): number {
  const found = paths.findIndex((path) => moduleId.endsWith(`/${path}`));
  return found < 0 ? paths.length : found;
}
