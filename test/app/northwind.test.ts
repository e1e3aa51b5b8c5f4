import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { idOf, loadNorthwind } from "../support/apps/northwind.js";
import { column, expectRefusal } from "../support/apps/shop.js";
import { type Client, client, type Row } from "../support/http/client.js";

let app: RunningApp;
let caller: Client;
let ids: Awaited<ReturnType<typeof loadNorthwind>>;
beforeAll(async () => {
  app = await startApp("apps/northwind");
  caller = client(app.url, app.token);
  ids = await loadNorthwind(app);
});
afterAll(() => app.close());

async function total(path: string): Promise<number> {
  const reply = await caller.list(path);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.meta.total;
}

/** Every record of a list, page after page. */
async function everything(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { body } = await caller.list(
      `${path}${path.includes("?") ? "&" : "?"}perPage=100&page=${page}`,
    );
    rows.push(...body.data);
    pages = body.meta.totalPages;
  }
  return rows;
}

test.each([
  ["categories", 8],
  ["customers", 91],
  ["employees", 9],
  ["employee-territories", 49],
  ["orders", 830],
  ["order-details", 2155],
  ["products", 77],
  ["regions", 4],
  ["shippers", 6],
  ["suppliers", 29],
  ["territories", 53],
  ["us-states", 51],
])("%s count %i, in list and stats", async (resource, count) => {
  expect(await total(`/${resource}`)).toBe(count);
  const stats = await caller.get(`/${resource}/_stats`);
  expect(stats.body).toEqual({ total: count, current: count, previous: 0, values: {} });
});

test("the pages of all order lines sum up to 51 317 units and a revenue of 1 265 793.04", async () => {
  const lines = await everything("/order-details?sort=id");
  expect(new Set(lines.map(({ id }) => id)).size).toBe(2155);
  const sum = (value: (line: Row) => number) => lines.reduce((all, line) => all + value(line), 0);
  expect(sum((line) => Number(line.quantity))).toBe(51317);
  const revenue = sum(
    (line) => Number(line.unitPrice) * Number(line.quantity) * (1 - Number(line.discount)),
  );
  expect(revenue.toFixed(2)).toBe("1265793.04");
});

test("21 orders are not shipped", async () => {
  expect(await total("/orders?filter[shippedOn]=")).toBe(21);
  expect(await total("/orders?filter[shippedOn]=null")).toBe(21);
});

test("8 employees report to another, one to none", async () => {
  const managers = await column(caller, "/employees", "reportsToId");
  expect(managers.filter((manager) => manager !== null).length).toBe(8);
  expect(await column(caller, "/employees?filter[reportsToId]=", "lastName")).toEqual(["Fuller"]);
  const buchanan = idOf(ids, "employees", "5");
  const team = await column(
    caller,
    `/employees?filter[reportsToId]=${buchanan}&sort=lastName`,
    "lastName",
  );
  expect(team).toEqual(["Dodsworth", "King", "Suyama"]);
});

test("10 products are discontinued, by filter and by stats", async () => {
  expect(await total("/products?filter[discontinued]=true")).toBe(10);
  expect(await total("/products?filter[discontinued]=false")).toBe(67);
  const stats = await caller.get("/products/_stats?field=discontinued");
  expect(stats.body.values).toEqual({ true: 10, false: 67 });
});

test("states are counted by region of the country", async () => {
  const stats = await caller.get("/us-states/_stats?field=stateRegion");
  expect(stats.body).toEqual({
    total: 51,
    current: 51,
    previous: 0,
    values: { north: 5, east: 13, south: 9, west: 12, midwest: 12 },
  });
});

test("products sort by price", async () => {
  const dearest = await caller.list("/products?sort=-unitPrice&perPage=3");
  expect(dearest.body.data.map(({ name, unitPrice }) => [name, unitPrice])).toEqual([
    ["Côte de Blaye", 263.5],
    ["Thüringer Rostbratwurst", 123.79],
    ["Mishi Kobe Niku", 97],
  ]);
});

test("names sort alphabetically, with accents next to their letters", async () => {
  const products = await column(caller, "/products?sort=name&perPage=100", "name");
  expect(products).toEqual(products.map(String).sort(new Intl.Collator("und").compare));
  const cities = await column(caller, "/suppliers?sort=-city&perPage=100", "city");
  expect(cities).toEqual(cities.map(String).sort(new Intl.Collator("und").compare).reverse());
});

test("a record has the values of its CSV line", async () => {
  const { body } = await caller.list("/customers?filter[code]=BLONP");
  expect(body.data).toEqual([
    {
      id: idOf(ids, "customers", "BLONP"),
      code: "BLONP",
      companyName: "Blondesddsl père et fils",
      contactName: "Frédérique Citeaux",
      contactTitle: "Marketing Manager",
      address: "24, place Kléber",
      city: "Strasbourg",
      region: null,
      postalCode: "67000",
      country: "France",
      phone: "88.60.15.31",
      fax: "88.60.15.32",
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  ]);
  const nancy = await caller.get(`/employees/${idOf(ids, "employees", "1")}`);
  expect(nancy.body).toMatchObject({
    titleOfCourtesy: "Ms.",
    birthDate: "1948-12-08",
    address: "507 - 20th Ave. E.\nApt. 2A",
    reportsToId: idOf(ids, "employees", "2"),
  });
});

test("filters combine: orders of one customer through one shipper", async () => {
  const customer = idOf(ids, "customers", "ALFKI");
  const shipper = idOf(ids, "shippers", "1");
  const query = `filter[customerId]=${customer}&filter[shipperId]=${shipper}&sort=orderedOn`;
  expect(await column(caller, `/orders?${query}`, "number")).toEqual([10643, 10702, 10952, 11011]);
  expect(await total("/order-details?filter[discount]=0.15")).toBe(157);
  expect(await total("/orders?filter[orderedOn]=1996-07-04")).toBe(1);
});

test("q searches every string field in any case, and no text field", async () => {
  const chocolate = ["Chocolade", "Teatime Chocolate Biscuits"];
  expect(await column(caller, "/products?q=CHOCO&sort=name", "name")).toEqual(chocolate);
  expect(await column(caller, "/customers?q=wolski", "code")).toEqual(["WOLZA"]);
  expect(await column(caller, "/customers?q=wolza", "companyName")).toEqual(["Wolski  Zajazd"]);
  expect(await total("/employees?q=Toastmasters")).toBe(0);
  expect(await total("/order-details?q=a")).toBe(0);
});

test("a category with products cannot be deleted", async () => {
  const path = `/categories/${idOf(ids, "categories", "1")}`;
  const reply = await caller.send<{ error: string }>("DELETE", path);
  expectRefusal(reply, 409);
  expect(reply.body.error).toBe("12 products still belong to this category");
  expect((await caller.get(path)).body.name).toBe("Beverages");
});

test("a deleted shipper leaves its orders without one", async () => {
  const shipper = idOf(ids, "shippers", "3");
  const orders = await total(`/orders?filter[shipperId]=${shipper}`);
  expect(orders).toBe(255);
  expect((await caller.delete(`/shippers/${shipper}`)).status).toBe(204);
  expect(await total("/orders?filter[shipperId]=")).toBe(orders);
  expect(await total("/orders")).toBe(830);
});

test("deleting a manager clears the links to them", async () => {
  const buchanan = idOf(ids, "employees", "5");
  const territories = await everything(`/employee-territories?filter[employeeId]=${buchanan}`);
  const refused = await caller.send<{ error: string }>("DELETE", `/employees/${buchanan}`);
  expectRefusal(refused, 409);
  expect(refused.body.error).toBe("7 employee territories still belong to this employee");
  for (const { id } of territories) await caller.delete(`/employee-territories/${id}`);
  expect((await caller.delete(`/employees/${buchanan}`)).status).toBe(204);
  expect(await total("/employees?filter[reportsToId]=")).toBe(4);
  expect(await total("/orders?filter[employeeId]=")).toBe(42);
});
