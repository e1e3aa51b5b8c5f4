import { describe, expect } from "vitest";
import { createClient, tagOf } from "../../fixtures/apps/shop/generated/client.js";
import { checkTags } from "../../runtime/command/doctor/operation/tags.js";
import { compressingProxies } from "../support/deploy/compressing.js";
import type { RunningProxy } from "../support/deploy/proxies.js";
import { field, makeProduct, save } from "./pages/record.js";
import { journey } from "./support/journey.js";
import { openVisit } from "./support/visit.js";

/** Some proxies leave short answers as they are. */
const description = "A tea that is described at length. ".repeat(60);

async function through<Result>(
  proxy: RunningProxy,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(`http://localhost:${proxy.port}`);
  } finally {
    await proxy.stop();
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

describe.each(compressingProxies.filter(({ isInstalled }) => isInstalled))(
  "behind $name, which compresses with $coding",
  ({ coding, changesTags, start }) => {
    journey("the API knows its tags, and a client writes with ifMatch", async ({ stage }) => {
      const { id } = await makeProduct(stage, { description });
      const authorization = `Bearer ${stage.app.token}`;
      const sent = { authorization, accept: "application/json", "accept-encoding": coding };
      const proxy = await start(portOf(stage.app.url));
      await through(proxy, async (url) => {
        const path = `/api/products/${id}`;
        const read = (at: string, headers = {}) =>
          fetch(`${at}${path}`, { headers: { ...sent, ...headers } });
        const tag = (await read(stage.app.url)).headers.get("etag");
        const changed = await read(url);
        expect(changed.headers.get("content-encoding")).toBe(coding);
        const changedTag = changed.headers.get("etag") ?? "";
        if (changesTags) expect(changedTag).not.toBe(tag);
        expect(changedTag).toContain(tag?.slice(1, -1));
        expect(await checkTags(url)).toMatchObject([{ check: "tags", state: "ok" }]);
        expect((await read(url, { "if-none-match": changedTag })).status).toBe(304);

        const write = (method: string, ifMatch: string) =>
          fetch(`${url}${path}`, {
            method,
            headers: { ...sent, "content-type": "application/json", "if-match": ifMatch },
            ...(method === "PATCH" && { body: '{"stock":5}' }),
          });
        const patched = await write("PATCH", changedTag);
        expect(patched.status).toBe(200);
        expect((await write("PATCH", changedTag)).status).toBe(412);
        expect((await write("DELETE", changedTag)).status).toBe(412);
        expect((await write("PATCH", patched.headers.get("etag") ?? "")).status).toBe(200);

        const api = createClient({
          url: `${url}/api`,
          token: stage.app.token,
          // What Node asks for by itself differs between its versions, and it cannot decode all of them.
          ...(coding !== "zstd" && {
            fetch: (input, init) => {
              const headers = new Headers(init?.headers);
              headers.set("accept-encoding", coding);
              return fetch(input, { ...init, headers });
            },
          }),
        });
        const tea = await api.products.get(id);
        if (coding !== "zstd") expect(tagOf(tea)).toBe((await read(url)).headers.get("etag"));
        const dearer = await api.products.update(id, { price: 5 }, { ifMatch: tea });
        await api.products.update(id, { price: 6 }, { ifMatch: dearer });
        const stale = api.products.update(id, { price: 7 }, { ifMatch: tea });
        await expect(stale).rejects.toMatchObject({ status: 412 });
        const [listed = expect.unreachable()] = (await api.products.list({ where: { id } })).data;
        await api.products.delete(id, { ifMatch: listed });
      });
    });

    journey("Save in the dashboard detects other writers, and only them", async ({ stage }) => {
      const as = await stage.person("Laura Callahan", "editor");
      const { id, name } = await makeProduct(stage, { description });
      await through(await start(portOf(stage.url)), async (url) => {
        const at = `/data/products/${id}`;
        const visit = await openVisit({ ...stage, url }, { as, at });
        const { page } = visit;
        for (const stock of ["17", "18"]) {
          await field(page, "Stock").fill(stock);
          const answer = page.waitForResponse((one) => one.request().method() === "PATCH");
          await save(page);
          expect((await answer).status()).toBe(200);
          await page.getByText(`${name} saved`).first().waitFor();
        }
        const api = createClient({ url: `${stage.app.url}/api`, token: stage.app.token });
        await field(page, "Stock").fill("19");
        await api.products.update(id, { stock: 3 });
        await save(page);
        await page.getByRole("heading", { name: "Two versions" }).waitFor();
        await visit.close();
      });
    });
  },
);
