import { expect, test } from "vitest";
import { refuse } from "../../../runtime/errors/index.js";
import type { Read } from "../../../runtime/http/index.js";
import type { RequestState } from "../../../runtime/request/index.js";
import { keepingPlans } from "../../../runtime/resource/list/kept-plans.js";
import { startRoutes } from "../http/server.js";

type Made = RequestState | null | undefined;

/** A list that notes for whom it was planned, and by which requests its plans were asked. */
function notedList() {
  const planned: Made[] = [];
  const asked: Made[] = [];
  const read: Read = keepingPlans(({ services }) => {
    planned.push(services.request);
    return {
      prepare: async (context) => {
        asked.push(context.services.request);
        return refuse("NOT_FOUND");
      },
    };
  });
  const serve = () =>
    startRoutes({ routes: [{ method: "GET", path: "/things", access: "signed-in", read }] });
  return { planned, asked, serve };
}

test("requests for the same list share a plan, which belongs to none of them", async () => {
  const { planned, asked, serve } = notedList();
  const server = await serve();
  for (const query of ["a=1", "a=1", "a=2", "a=1"]) {
    expect((await server.member.get(`/things?${query}`)).status).toBe(404);
  }
  await server.close();
  // Of two queries, not of four requests.
  expect(planned.map((request) => request ?? null)).toEqual([null, null]);
  const ids = asked.map((request) => request?.fields.requestId);
  expect(new Set(ids).size).toBe(4);
  expect(ids).not.toContain(undefined);
});

test("apps do not share plans, as their policies differ", async () => {
  const { planned, serve } = notedList();
  for (const server of [await serve(), await serve()]) {
    await server.member.get("/things?a=1");
    await server.member.get("/things?a=1");
    await server.close();
  }
  expect(planned).toHaveLength(2);
});

test("a query that is too long to be sent again is planned each time", async () => {
  const { planned, serve } = notedList();
  const server = await serve();
  const path = `/things?a=${"1".repeat(500)}`;
  await server.member.get(path);
  await server.member.get(path);
  await server.close();
  expect(planned.map((request) => request ?? null)).toEqual([null, null]);
});
