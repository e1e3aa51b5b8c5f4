import { openWrittenStage, type Stage, sharedStage } from "./stage.js";

const goods = `label: Goods
singular: Good
title: name
changes: { history: 400 }
access: { read: signed-in, write: [admin, clerk], history: signed-in }
fields:
  name: { type: string, required: true }
  price: { type: number, decimals: 2 }
  state: { type: enum, values: [draft, live], required: true, default: draft }
  shelfId: { type: belongsTo, resource: shelves, inverse: goods }
  description: { type: text }
  photo: { type: image, profile: product }
`;

const shelves = `label: Shelves
singular: Shelf
title: name
fields: { name: { type: string, required: true } }
`;

/** A stage whose goods tell their changes, keep a history, and are known to webhooks. */
export function changesStage(): Promise<Stage> {
  return sharedStage("changes", () =>
    openWrittenStage({
      descriptors: new Map([
        ["goods.yaml", goods],
        ["shelves.yaml", shelves],
      ]),
      settings: `auth: { check_breached_passwords: false, operators: [admin], profiles: signed-in }
server: { host: 127.0.0.1 }
webhooks: { allow: [127.0.0.1] }
`,
    }),
  );
}
