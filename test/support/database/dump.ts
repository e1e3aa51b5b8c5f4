import pg from "pg";
import { catalogueOf } from "./catalogue.js";

/** The normalised dump of a database, asked over a connection of its own. */
export async function dump(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await catalogueOf(client);
  } finally {
    await client.end();
  }
}
