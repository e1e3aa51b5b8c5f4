import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal, paths } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Row } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";
import { block } from "./pages.js";

const page = "docs/access";
const receipts = block(page, "By owner", 2);

let app: WrittenApp;
let [ada, bob, clerk]: RuledCaller[] = [];

/** The last step, with everything before it. */
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["expenses.yaml", block(page, "By field")],
      ["receipts.yaml", receipts],
      ["reports.yaml", block(page, "By condition")],
    ]),
    server: block(page, "By record").replace("await app.listen();", "export { app };"),
  });
  ada = await app.caller(null);
  bob = await app.caller(null);
  clerk = await app.caller("clerk");
});
afterAll(() => app.close());

function clientOf(caller: RuledCaller | undefined) {
  return caller?.client ?? expect.unreachable();
}

test("the steps before the last one make working apps too", async () => {
  const byRole = await startWrittenApp({
    descriptors: new Map([["expenses.yaml", block(page, "By role")]]),
  });
  try {
    const { client: someone } = await byRole.caller(null);
    const expense = await created(someone, "expenses", { purpose: "Train", amount: 20 });
    expectRefusal(await someone.get(`/expenses/${expense.id}`), 403);
    const { client: admin } = await byRole.caller("admin");
    expect((await admin.get(`/expenses/${expense.id}`)).body).toEqual(expense);
    expectRefusal(await admin.delete(`/expenses/${expense.id}`), 403);
  } finally {
    await byRole.close();
  }
  const byOwner = await startWrittenApp({
    descriptors: new Map([
      ["expenses.yaml", block(page, "By owner")],
      ["receipts.yaml", receipts],
    ]),
  });
  await byOwner.close();
});

test("an owner sees only own records, and those that belong to them", async () => {
  const own = await created(clientOf(ada), "expenses", { purpose: "Train", amount: 20 });
  expect(own).toMatchObject({ spenderId: ada?.id, state: "open" });
  const receipt = await created(clientOf(ada), "receipts", { expenseId: own.id, shop: "Rail" });
  for (const path of [`/expenses/${own.id}`, `/receipts/${receipt.id}`]) {
    expectRefusal(await clientOf(bob).get(path), 404);
    expect((await clientOf(clerk).get(path)).status).toBe(200);
  }
  expect((await clientOf(bob).list("/expenses")).body.meta.total).toBe(0);
  expect((await clientOf(ada).list("/expenses?include=receipts")).body.meta.total).toBe(1);
});

test("only a clerk decides, once, and not about their own expenses", async () => {
  const own = await created(clientOf(ada), "expenses", { purpose: "Hotel", amount: 90 });
  expect(own).not.toHaveProperty("remark");
  const path = `/expenses/${own.id}`;
  expect(paths(await clientOf(ada).patch(path, { state: "approved" }))).toEqual(["state"]);
  const decided = await clientOf(clerk).patch<Row>(path, { state: "approved", remark: "fine" });
  expect(decided.body).toMatchObject({ state: "approved", remark: "fine" });
  expectRefusal(await clientOf(ada).patch(path, { purpose: "Flat" }), 403);
  expectRefusal(await clientOf(ada).delete(path), 403);
  const clerks = await created(clientOf(clerk), "expenses", { purpose: "Lunch", amount: 9 });
  const selfMade = await clientOf(clerk).patch(`/expenses/${clerks.id}`, { state: "approved" });
  expectRefusal(selfMade, 403);
});

test("members see the records of their projects, and leads decide", async () => {
  const shared = await startWrittenApp({
    descriptors: new Map(
      ["projects.yaml", "memberships.yaml", "shared-expenses.yaml"].map((file, at) => [
        file,
        block(page, "By team", at + 1),
      ]),
    ),
  });
  try {
    const [lead, member, other] = [
      await shared.caller(null),
      await shared.caller(null),
      await shared.caller(null),
    ];
    const project = await created(lead.client, "projects", { name: "Fair" });
    const joined = { projectId: project.id, userId: member.id };
    expect(paths(await member.client.post("/memberships", joined))).toEqual(["projectId"]);
    await created(lead.client, "memberships", joined);
    const expense = { projectId: project.id, purpose: "Booth", amount: 90 };
    const made = await created(member.client, "shared-expenses", expense);
    const path = `/shared-expenses/${made.id}`;
    expectRefusal(await member.client.patch(path, { amount: 1 }), 404);
    expect((await lead.client.patch(path, { amount: 80 })).status).toBe(200);
    expectRefusal(await other.client.get(path), 404);
    expect(paths(await other.client.post("/shared-expenses", expense))).toEqual(["projectId"]);
  } finally {
    await shared.close();
  }
});

test("conditions allow and refuse single records", async () => {
  const report = await created(clientOf(ada), "reports", { title: "Trip" });
  expectRefusal(await clientOf(bob).get(`/reports/${report.id}`), 404);
  const path = `/reports/${report.id}`;
  expectRefusal(await clientOf(ada).patch(path, { state: "closed" }), 403);
  const published = { state: "published", publishedAt: "2026-01-01T00:00:00Z" };
  expect((await clientOf(ada).patch(path, published)).status).toBe(200);
  expect((await clientOf(bob).get(path)).status).toBe(200);
  expectRefusal(await clientOf(ada).delete(path), 403);
});
