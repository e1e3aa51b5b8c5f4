import type { Page } from "playwright-core";
import { z } from "zod";
import { api, type Made, make } from "../pages/record.js";
import { journeyOn } from "./journey.js";
import { openWrittenStage, type Person, type Stage, sharedStage } from "./stage.js";

const everywhere = "trash: 30\nchanges: { history: 400 }\n";
const access =
  "access: { read: signed-in, write: [admin, clerk], history: signed-in, purge: [admin] }\n";

const descriptors = new Map([
  [
    "customers.yaml",
    `label: Customers\nsingular: Customer\ngroup: Sales\ntitle: name\n${everywhere}${access}
fields:
  name: { type: string, required: true }
  email: { type: string, format: email }
  country: { type: enum, values: [Germany, Mexico, Norway], required: true }
`,
  ],
  [
    "goods.yaml",
    `label: Goods\nsingular: Good\ngroup: Shop\ntitle: name\n${everywhere}${access}
fields:
  name: { type: string, required: true, unique: true }
  price: { type: number, decimals: 2, min: 0, required: true }
  photos: { type: image, list: true, maxItems: 6 }
`,
  ],
  [
    "orders.yaml",
    `label: Orders\nsingular: Order\ngroup: Sales\ntitle: number\n${everywhere}${access}
list: [number, customerId, handledById, placedAt, total]
fields:
  number: { type: string, required: true, unique: true }
  customerId: { type: belongsTo, resource: customers, inverse: orders }
  handledById: { type: belongsTo, resource: users, label: Handled by }
  placedAt: { type: timestamp }
  total: { type: number, decimals: 2 }
  receipts: { type: image, list: true, maxItems: 6 }
`,
  ],
  [
    "order-lines.yaml",
    `label: Order lines\nsingular: Order line\ngroup: Sales\n${everywhere}${access}
fields:
  orderId: { type: belongsTo, resource: orders, required: true, inverse: lines, onDelete: cascade }
  goodId: { type: belongsTo, resource: goods, required: true, inverse: lines }
  quantity: { type: number, integer: true, required: true, default: 1 }
`,
  ],
]);

const input = z.object({});

/** A journey on a shop that has been used for a while, whose tasks begin on the home page. */
export const taskJourney = journeyOn(() =>
  sharedStage("twelve-tasks", () =>
    openWrittenStage({
      descriptors,
      settings: `app: { name: Corner shop }
auth: { check_breached_passwords: false, operators: [admin], profiles: signed-in }
server: { host: 127.0.0.1 }
webhooks: { allow: [127.0.0.1] }
`,
      options: { jobs: { charge: { input, run: () => {} } } },
    }),
  ),
);

let numbers = 1_000;

/** An order with a number that no other has. */
export function order(stage: Stage, values: object): Promise<Made> {
  numbers += 1;
  return make(stage, "orders", {
    number: String(numbers),
    placedAt: "2026-10-05T10:00:00Z",
    ...values,
  });
}

/** What a record has on the server. */
export async function stored(stage: Stage, path: string) {
  return (await api(stage, "GET", path)).body as Readonly<Record<string, unknown>>;
}

/** Calls the API as an account, for what it did before the task begins. */
export async function as(stage: Stage, person: Person): Promise<Stage> {
  return { ...stage, app: { ...stage.app, token: await stage.cookieOf(person) } };
}

/** From the home page to a list, as each task begins. */
export async function fromHome(page: Page, resource: string): Promise<void> {
  const side = page.getByRole("navigation", { name: "Resources" });
  await side.getByRole("link", { name: resource, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: resource }).waitFor();
}
