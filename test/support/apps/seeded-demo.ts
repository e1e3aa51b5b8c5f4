import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { createApp } from "../../../fixtures/apps/shop/generated/app.js";
import { writeSeed } from "../../../fixtures/demo-seed.js";
import { writeDemoShop } from "../../../fixtures/demo-shop.js";
import type { SeedEvent } from "../../../runtime/data/index.js";
import { addAccount } from "../accounts/accounts.js";
import type { RunningApp } from "./app.js";
import { makeAppFolder, removeAppFolder } from "./app-folder.js";
import { openTaskApp } from "./task-app.js";

/** The shop's own folder. */
export const example = join(import.meta.dirname, "../../../fixtures/apps/shop");

/** The descriptors of the shop that the demo runs, written into a folder. */
export function demoDescriptors(folder: string): ReadonlyMap<string, string> {
  writeDemoShop(example, folder);
  const resources = join(folder, "resources");
  const names = readdirSync(resources);
  return new Map(names.map((name) => [name, readFileSync(join(resources, name), "utf8")]));
}

/** The demo's records, ready to be stored in a shop. */
export interface SeededDemo {
  /** Number of records. */
  readonly records: number;
  /** Stores them, or finds them again; resolves with what has become of them. */
  seed(): Promise<SeedEvent>;
  close(): Promise<void>;
}

/** Writes the demo's seed files as of that time, and the people of its shop into this one. */
export async function openDemo(
  shop: Pick<RunningApp, "db" | "databaseUrl" | "storage">,
  now: Date,
): Promise<SeededDemo> {
  const staff = ["mara@example.com", "jonas@example.com"];
  for (const email of staff) {
    await addAccount(shop.db, { email, name: email, role: "editor", password: "a password" });
  }
  const folder = makeAppFolder();
  const seeds = join(folder, "seed");
  const records = await readingSvg(() =>
    writeSeed(seeds, { folder: join(example, "data"), staff, now }),
  );
  const app = await openTaskApp({
    name: "shop",
    databaseUrl: shop.databaseUrl,
    environment: { SHOP_STORAGE: shop.storage },
    make: () => createApp(),
  });
  return {
    records,
    seed() {
      return app.run<SeedEvent>((events) => {
        const request = { resources: [], onlyEmpty: false, command: null, events };
        return { kind: "seed", request: { ...request, folder: seeds } };
      });
    },
    async close() {
      await app.close();
      removeAppFolder(folder);
    },
  };
}

const svg = { operation: ["VipsForeignLoadSvg"] };

/**
 * The demo draws its pictures as SVG. Files of one worker share the image library, which reads none any more where a
 * file before this one has read a picture as the server does.
 */
async function readingSvg<T>(work: () => Promise<T>): Promise<T> {
  const dot = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
  const isBlocked = await sharp(dot)
    .toBuffer()
    .then(
      () => false,
      () => true,
    );
  sharp.unblock(svg);
  try {
    return await work();
  } finally {
    if (isBlocked) sharp.block(svg);
  }
}
