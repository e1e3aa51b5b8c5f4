import { z } from "zod";
import { type DocumentSite, startDocumentSite } from "../../../support/oauth/documents.js";
import { journeyOn } from "../journey.js";
import { openWrittenStage, type Stage, sharedStage } from "../stage.js";
import { type Filled, fill } from "./fill.js";

const descriptors = new Map([
  [
    "goods.yaml",
    `label: Goods
singular: Good
group: Shop
title: name
list: [name, shelfId, price, stock, state, releasedOn, photo]
changes: { history: 400 }
trash: 30
access: { read: [{ who: public, where: { state: live } }, admin, clerk], write: [admin, clerk], history: signed-in, purge: [admin] }
fields:
  name: { type: string, required: true, maxLength: 120 }
  price: { type: number, decimals: 2, min: 0 }
  stock: { type: number, integer: true }
  worth: { type: number, decimals: 2, computed: "round(price * stock, 2)" }
  state: { type: enum, values: [draft, live, gone], required: true, default: draft }
  active: { type: boolean }
  shelfId: { type: belongsTo, resource: shelves, inverse: goods }
  tagIds: { type: links, resource: tags, inverse: goods }
  releasedOn: { type: date, label: Released }
  soldOutAt: { type: timestamp, label: Sold out at }
  about: { type: text, format: markdown }
  address: { type: json, schema: ./address.json }
  extra: { type: json }
  photo: { type: image, profile: product }
  photos: { type: image, list: true, maxItems: 6 }
  manual: { type: file }
`,
  ],
  [
    "shelves.yaml",
    `label: Shelves
singular: Shelf
group: Shop
title: name
fields:
  name: { type: string, required: true }
  keeperId: { type: belongsTo, resource: users }
`,
  ],
  [
    "tags.yaml",
    "label: Tags\nsingular: Tag\ngroup: Shop\ntitle: name\nfields: { name: { type: string, required: true } }\n",
  ],
  [
    "orders.yaml",
    `label: Orders
singular: Order
group: Sales
title: number
fields:
  number: { type: string, required: true, unique: true }
  customer: { type: string, required: true }
  placedAt: { type: timestamp }
`,
  ],
  [
    "order-lines.yaml",
    `label: Order lines
singular: Order line
group: Sales
fields:
  orderId: { type: belongsTo, resource: orders, required: true, inverse: lines, onDelete: cascade }
  goodId: { type: belongsTo, resource: goods, required: true, inverse: lines }
  quantity: { type: number, integer: true, required: true, default: 1 }
`,
  ],
]);

const address = {
  type: "object",
  required: ["city"],
  additionalProperties: false,
  properties: {
    city: { type: "string", title: "City" },
    floor: { type: "integer", title: "Floor" },
    isGift: { type: "boolean", title: "Gift" },
  },
};

const input = z.object({});

/** An app with everything that the dashboard has a screen for, filled as one that has been used for a while. */
interface Everything {
  readonly site: DocumentSite;
  readonly filled: Filled;
}

const opened = new WeakMap<Stage, Everything>();

async function openEverything(): Promise<Stage> {
  const site = await startDocumentSite();
  const stage = await openWrittenStage({
    descriptors,
    files: new Map([["address.json", JSON.stringify(address)]]),
    settings: `app: { name: Corner shop }
auth:
  check_breached_passwords: false
  operators: [admin]
  profiles: signed-in
  delete_own_account: true
  apps: { allow: ["${site.host}"] }
server: { host: 127.0.0.1, mcp: true }
webhooks: { allow: [127.0.0.1] }
`,
    options: {
      jobs: { charge: { input, run: () => {} }, report: { input, run: () => {} } },
      schedule: { nightly: { job: "report", cron: "0 3 * * *", timezone: "Europe/Oslo" } },
    },
  });
  opened.set(stage, { site, filled: await fill(stage) });
  return stage;
}

/** A journey on that app. */
export const everyJourney = journeyOn(() => sharedStage("every-screen", openEverything));

/** What the app of such a journey is filled with, and the site of apps that can be connected to it. */
export function everythingOf(stage: Stage): Everything {
  const found = opened.get(stage);
  if (found === undefined) throw new Error("This stage has not every screen");
  return found;
}
