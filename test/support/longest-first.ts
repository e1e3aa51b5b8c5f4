import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The projects in this order, since a worker serves one project only: the many short files at the end leave no worker
 * alone with a long one.
 */
const projects = ["database", "faults", "unit", "dashboard"];

/** The slowest files, in this order within each project; the others follow. Those of `npm test` are all short. */
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
  "test/app/random-rights.long.test.ts",
  "test/app/generated-requests.long.test.ts",
  "test/docs/examples.long.test.ts",
  "test/cli/both-packages.long.test.ts",
  "test/cli/doctor.long.test.ts",
  "test/app/trash-model.long.test.ts",
  "test/cli/restore.long.test.ts",
  "test/cli/runtime-alone.long.test.ts",
  "test/cli/doctor-operation.long.test.ts",
  "test/cli/dev.long.test.ts",
  "test/runtime/mail/delivery.long.test.ts",
  "test/cli/dev-restarts.long.test.ts",
  "test/describe/document.long.test.ts",
  "test/dashboard/slow-screens.long.test.ts",
  "test/dashboard/screens.test.ts",
  "test/dashboard/reading.long.test.ts",
  "test/dashboard/roles.long.test.ts",
];

/** Vitest: in this order. A checkout has no times of earlier runs to go by. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted(
      (one, other) => projectOf(one) - projectOf(other) || rank(one) - rank(other),
    );
  }
}

function projectOf({ project }: TestSpecification): number {
  return projects.indexOf(project.name);
}

function rank({ moduleId }: TestSpecification): number {
  const found = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
  return found < 0 ? longest.length : found;
}
