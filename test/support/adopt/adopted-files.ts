import pg from "pg";
import { type AdoptRequest, proposeAdoption } from "../../../generator/adopt/adopt.js";
import { readExisting } from "../../../generator/adopt/existing.js";
import type { ReportLine } from "../../../generator/adopt/model/adoption.js";
import { type AdoptionPlan, planAdoption } from "../../../generator/adopt/written/plan.js";
import { makeAppFolder, removeAppFolder } from "../apps/app-folder.js";
import type { WrittenFiles } from "../apps/written-app.js";

/** What `service adopt` makes of a database on which the statements have been run. */
export async function adoptedFiles(
  url: string,
  statements: string,
  options: Partial<Omit<AdoptRequest, "existing">> = {},
): Promise<
  Pick<WrittenFiles, "descriptors" | "files"> & { readonly report: readonly ReportLine[] }
> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const root = makeAppFolder();
  try {
    await client.query(statements);
    await client.query("begin transaction isolation level repeatable read, read only");
    const run = async (text: string, values: readonly unknown[]) =>
      (await client.query(text, [...values])).rows;
    const existing = readExisting(root);
    const proposal = await proposeAdoption(run, {
      ...{ schemas: ["public"], tables: [], exclude: [], keys: [], updates: false },
      ...{ views: false, triggers: true, accounts: null, timezone: null, ...options },
      existing,
    });
    if (proposal.kind === "proposal" && proposal.adoption.unzoned.length > 0) {
      throw new Error(proposal.adoption.unzoned.join());
    }
    if (proposal.kind !== "proposal") throw new Error(proposal.kind);
    const plan = planAdoption({ root, ...proposal, existing, profiles: [] });
    return { ...filesOf(plan), report: proposal.adoption.report };
  } finally {
    await client.end();
    removeAppFolder(root);
  }
}

function filesOf({ writes, problems }: AdoptionPlan) {
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
  const isDescriptor = ({ path }: { readonly path: string }) => path.startsWith("resources/");
  const entry = ({ path, text }: { readonly path: string; readonly text: string }) =>
    [path, text] as const;
  return {
    descriptors: new Map(
      writes.filter(isDescriptor).map(({ path, text }) => [path.slice("resources/".length), text]),
    ),
    files: new Map(writes.filter((one) => !isDescriptor(one)).map(entry)),
  };
}
