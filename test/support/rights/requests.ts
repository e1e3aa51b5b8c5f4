import { expect } from "vitest";
import { expectRefusal } from "../apps/shop.js";
import { upload } from "../storage/files.js";
import { pdf } from "../storage/stored.js";
import { ask } from "./ask.js";
import { batch } from "./batch.js";
import { total } from "./count.js";
import { Rights } from "./model.js";
import { type Deal, type Request, type RuledWorld, stored } from "./request.js";
import { uploadFile } from "./upload.js";
import { upsert, write } from "./write.js";

/** One request of any kind, compared with what the model says of it. */
export async function tryRequest(world: RuledWorld, deal: Deal): Promise<void> {
  const { described, callers, policies } = world;
  const rights = new Rights(described, await stored(world), policies);
  const request = {
    world,
    rights,
    caller: deal(callers),
    resource: deal(described).name,
    deal,
  };
  const kinds = [
    ask,
    ask,
    ask,
    total,
    write,
    write,
    write,
    upsert,
    batch,
    batch,
    uploadFile,
    check,
  ];
  const withoutToken = [ask, ask, total, write, write, closedRoutes];
  await deal(request.caller.isVisitor ? withoutToken : kinds)(request);
}

/** Routes that need a token although everything else may be public. */
async function closedRoutes({ caller: { client }, resource }: Request): Promise<void> {
  expectRefusal(await client.get("/_service/resources"), 401);
  expectRefusal(await client.post("/_service/batch", { operations: [] }), 401);
  expectRefusal(await upload(client, `${resource}/scan`, "scan.pdf", pdf), 401);
}

/** Rights of the caller according to the app. */
async function check({ world, rights, caller }: Request): Promise<void> {
  const { body } = await caller.client.get<{
    data: {
      name: string;
      can: object;
      fields: { name: string; readable: boolean; writable: boolean }[];
    }[];
  }>("/_service/resources");
  for (const { name, fields } of world.described) {
    const found = body.data.find((one) => one.name === name);
    const actions = ["list", "get", "stats", "create", "update", "delete"] as const;
    expect(found?.can, name).toEqual(
      Object.fromEntries(actions.map((action) => [action, rights.can(caller, name, action)])),
    );
    const [unread, unwritten] = [
      rights.closed(caller, name, "read"),
      rights.closed(caller, name, "write"),
    ];
    expect(
      found?.fields.map((field) => [field.name, field.readable, field.writable]),
      name,
    ).toEqual(
      fields.map((field) => [
        field.name,
        !unread.includes(field.name),
        !unwritten.includes(field.name),
      ]),
    );
  }
}
