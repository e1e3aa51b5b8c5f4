import { historyOf, missingRecord, parseHistory } from "../../values/schema/history/history.js";
import { replay } from "../../values/schema/history/replay.js";
import type { MigrationName } from "../files/files.js";
import type { MigrationTexts } from "../files/texts.js";
import type { ExpectedTable } from "./expected.js";
import { expectedTables } from "./expected-tables.js";

/**
 * The tables that the applied migrations create according to their records, sorted by name; or a sentence that explains
 * why they are unknown. Handwritten migrations have no records.
 */
export function migratedTables(
  texts: MigrationTexts,
  applied: readonly MigrationName[],
): readonly ExpectedTable[] | { readonly unknown: string } {
  const names = new Set(applied.flatMap(({ source, name }) => (source === "app" ? [name] : [])));
  const history = historyOf(names, parseHistory(texts));
  const { schema, problems } = replay(history);
  const [problem] = [...history.unrecorded.map(missingRecord), ...problems];
  return problem === undefined
    ? expectedTables(schema)
    : { unknown: `${problem.file}: ${problem.message}` };
}
