import type { Config } from "../../config/index.js";
import type { Queryable } from "../../db/index.js";
import { withAddresses } from "../objects/addresses.js";
import type { FileDetails } from "../objects/details.js";

interface Upload {
  readonly key: string;
  readonly details: FileDetails;
  readonly isPrivate: boolean;
}

/** Uploads per page. */
const pageSize = 500;

/** Updates the URLs of all uploads to this app's storage, since another app may have stored them. */
export async function renewAddresses(
  db: Queryable,
  config: Pick<Config, "uploads">,
): Promise<void> {
  let page = await pageOf(db, "");
  while (page.length > 0) {
    const changed = page.flatMap(({ key, details, isPrivate }) => {
      const text = JSON.stringify(withAddresses(config, { details, isPrivate }));
      return text === JSON.stringify(details) ? [] : [{ key, text }];
    });
    await db.query(
      `update service.uploads as upload
       set details = changed.text::json
       from unnest($1::text[], $2::text[]) as changed (key, text)
       where upload.key = changed.key`,
      [changed.map(({ key }) => key), changed.map(({ text }) => text)],
    );
    page = await pageOf(db, page.at(-1)?.key ?? "");
  }
}

function pageOf(db: Queryable, after: string): Promise<readonly Upload[]> {
  return db.query<Upload>(
    `select upload.key, details, coalesce(is_private, false) as "isPrivate"
     from service.uploads as upload
     left join service.stored_objects as stored on stored.key = upload.key
     where upload.key > $1
     order by upload.key
     limit ${pageSize}`,
    [after],
  );
}
