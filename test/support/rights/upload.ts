import { expect } from "vitest";
import { expectRefusal } from "../apps/shop.js";
import { upload } from "../storage/files.js";
import { pdf } from "../storage/stored.js";
import { Rights } from "./model.js";
import { type Request, stored } from "./request.js";
import { attemptWrite, write } from "./write.js";

/** A file for a field of the resource. A caller who may store it then gives it to a record, if allowed. */
export async function uploadFile(request: Request): Promise<void> {
  const { world, rights, caller, resource, deal } = request;
  const field = rights.of(resource).fields.find(({ type }) => type === "file");
  if (field === undefined) return write(request);
  const reply = await upload(caller.client, `${resource}/${field.name}`, "scan.pdf", pdf);
  const isClosed = rights.closed(caller, resource, "write").includes(field.name);
  const isAllowed = (["create", "update"] as const).some(
    (action) => rights.scope(caller, resource, action) !== "none",
  );
  if (isClosed || !isAllowed) return expectRefusal(reply, 403);
  expect(reply.status, reply.text).toBe(201);
  const id = deal(rights.rowsOf(resource).map((row) => String(row.id)));
  if (id === undefined) return;
  const now = new Rights(world.described, await stored(world), world.policies);
  const values = { [field.name]: reply.body.key };
  await attemptWrite({ ...request, rights: now }, { resource, kind: "update", id, values });
}
