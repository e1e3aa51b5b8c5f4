import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageSchema, packageSchemaFile } from "../../../fixtures/package-schema.js";
import { makeAppFolder, removeAppFolder } from "../../support/apps/app-folder.js";
import { emptyDatabase } from "../../support/database/database.js";

test("schema.sql equals the result of the package's migrations", async () => {
  const database = await emptyDatabase();
  const folder = makeAppFolder();
  try {
    const schema = await packageSchema(database.url, join(folder, "migrations"));
    expect(schema).toBe(readFileSync(packageSchemaFile, "utf8"));
  } finally {
    removeAppFolder(folder);
    await database.drop();
  }
});
