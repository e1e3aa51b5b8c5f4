import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, parameters, type Shop } from "../../support/apps/shop.js";

interface Refused {
  readonly issues: readonly { readonly param: string; readonly message: string }[];
}

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** A query string of one parameter, which the answer must name. */
const refused: readonly [title: string, query: string, parameter: string][] = [
  ["a page under 1", "page=0", "page"],
  ["a negative page", "page=-1", "page"],
  ["a page that is no integer", "page=1.5", "page"],
  ["a page in words", "page=one", "page"],
  ["an empty page", "page=", "page"],
  ["a page in hexadecimal", "page=0x1", "page"],
  ["a page with an exponent", "page=1e1", "page"],
  ["a page with spaces", "page=%201", "page"],
  ["perPage 0", "perPage=0", "perPage"],
  ["perPage over 100", "perPage=101", "perPage"],
  ["an empty perPage", "perPage=", "perPage"],
  ["an empty sort", "sort=", "sort"],
  ["a sort by nothing, descending", "sort=-", "sort"],
  ["a sort by an unknown field", "sort=colour", "sort"],
  ["a sort by a column's name", "sort=created_at", "sort"],
  ["a sort by a text field", "sort=description", "sort"],
  ["a sort by file details", "sort=imageFile", "sort"],
  ["a sort with two signs", "sort=--name", "sort"],
  ["a sort with a plus", "sort=%2Bname", "sort"],
  ["a sort by SQL", "sort=name;select", "sort"],
  ["a sort by __proto__", "sort=__proto__", "sort"],
  ["a sort by constructor", "sort=constructor", "sort"],
  ["q over 200 characters", `q=${"a".repeat(201)}`, "q"],
  ["q with NUL", "q=%00", "q"],
  ["a filter on an unknown field", "filter[colour]=red", "filter[colour]"],
  ["a filter on a text field", "filter[description]=x", "filter[description]"],
  ["a filter on file details", "filter[imageFile]=x", "filter[imageFile]"],
  ["a filter on __proto__", "filter[__proto__]=x", "filter[__proto__]"],
  ["a filter on constructor", "filter[constructor]=x", "filter[constructor]"],
  ["a filter without a field", "filter[]=x", "filter[]"],
  ["a filter without brackets", "filter=x", "filter"],
  ["a filter left open", "filter[name=x", "filter[name"],
  ["a filter closed twice", "filter[name]]=x", "filter[name]]"],
  ["a filter with spaces in its name", "filter[ name]=x", "filter[ name]"],
  ["a string filter with NUL", "filter[name]=a%00b", "filter[name]"],
  ["a number filter in words", "filter[price]=cheap", "filter[price]"],
  ["a number filter in hexadecimal", "filter[price]=0x1", "filter[price]"],
  ["a number filter beyond every number", "filter[price]=1e400", "filter[price]"],
  ["a number filter NaN", "filter[price]=NaN", "filter[price]"],
  ["an integer filter with places", "filter[stock]=1.5", "filter[stock]"],
  ["a boolean filter that is neither", "filter[active]=yes", "filter[active]"],
  ["a boolean filter in capitals", "filter[active]=True", "filter[active]"],
  ["a boolean filter 1", "filter[active]=1", "filter[active]"],
  ["an enum filter of no value", "filter[status]=lost", "filter[status]"],
  ["an enum filter in capitals", "filter[status]=LIVE", "filter[status]"],
  ["a date filter of no day", "filter[releasedOn]=2023-02-29", "filter[releasedOn]"],
  ["a date filter with a time", "filter[releasedOn]=2023-02-01T00:00:00Z", "filter[releasedOn]"],
  [
    "a timestamp filter without offset",
    "filter[soldOutAt]=2023-02-01T00:00:00",
    "filter[soldOutAt]",
  ],
  ["a link filter that is no UUID", "filter[categoryId]=1", "filter[categoryId]"],
  ["an id filter that is no UUID", "filter[id]=1", "filter[id]"],
  ["a createdAt filter that is none", "filter[createdAt]=today", "filter[createdAt]"],
  ["an updatedAt filter that is none", "filter[updatedAt]=today", "filter[updatedAt]"],
  ["an unknown parameter", "colour=red", "colour"],
  ["an unknown parameter without a value", "colour", "colour"],
  ["a parameter in another case", "PerPage=5", "PerPage"],
  ["a parameter named __proto__", "__proto__=1", "__proto__"],
  ["a parameter named constructor", "constructor=1", "constructor"],
  ["a parameter named toString", "toString=1", "toString"],
  ["a field's name without filter", "name=x", "name"],
  ["a column's name", "filter[category_id]=null", "filter[category_id]"],
  ["a stats parameter", "days=7", "days"],
  ["a repeated page", "page=1&page=1", "page"],
  ["a repeated list that is wrong", "fields=name&fields=", "fields"],
  ["a repeated list that names a field twice", "sort=name&sort=-name", "sort"],
  [
    "a repeated list of too many values",
    `filter[name][in]=${"a,".repeat(99)}a&filter[name][in]=b`,
    "filter[name][in]",
  ],
  ["a repeated comparison", "filter[price][gt]=1&filter[price][gt]=2", "filter[price][gt]"],
  ["a repeated q", "q=a&q=b", "q"],
  ["a repeated filter", "filter[name]=a&filter[name]=a", "filter[name]"],
  ["a filter repeated in another spelling", "filter[name]=a&filter%5Bname%5D=b", "filter[name]"],
];

test.each(refused)("refuses %s with 400", async (_title, query, parameter) => {
  const reply = await shop.member.get(`/products?${query.replaceAll(" ", "%20")}`);
  expect(parameters(reply)).toEqual([parameter]);
});

test.each([
  ["sort=-price&sort=name", "sort=-price,name"],
  ["sort=-price&q=a&sort=name,id", "sort=-price,name,id&q=a"],
  ["fields=name&fields=price", "fields=name,price"],
  ["include=category&include=reviews", "include=category,reviews"],
  [
    "include=category&include[category][fields]=name&include[category][fields]=id",
    "include=category&include[category][fields]=name,id",
  ],
  ["filter[status][in]=draft&filter[status][in]=live,gone", "filter[status][in]=draft,live,gone"],
  ["filter[name][nin]=a%5C,b&filter%5Bname%5D%5Bnin%5D=c", "filter[name][nin]=a%5C,b,c"],
])("%s is %s", async (repeated, joined) => {
  const [one, other] = await Promise.all(
    [repeated, joined].map((query) => shop.member.get(`/products?${query}`)),
  );
  expect(one?.status, one?.text).toBe(200);
  expect(one?.text).toBe(other?.text);
});

test.each([
  ["sort=name,-pricee", '"pricee" is not a field: did you mean "price"?'],
  ["sort=-name,description", "Text fields cannot be sorted"],
  ["sort=name,", "Must name a field to sort by"],
  ["sort=category.nam", '"nam" is not a field: did you mean "name"?'],
  ["sort=name,-categori.name", '"categori" is not a link: did you mean "category"?'],
  ["sort=category.paren.name", '"paren" is not a link: did you mean "parent"?'],
  ["sort=category.parent.parent.name", '"category.parent.parent.name" follows more than 2 links'],
  ["sort=category", '"category" is not a field: did you mean "categoryId"?'],
  ["sort=category.", '"" is not a field'],
  ["sort=category.name,-category.name", "Names a field twice"],
  ["fields=name,pricee", '"pricee" is not a field: did you mean "price"?'],
  ["filter[pricee]=1", '"pricee" is not a field: did you mean "price"?'],
  ["filter[zzzz]=1", '"zzzz" is not a field'],
  ['where={"pricee":1}', 'pricee is not a field to filter by: did you mean "price"?'],
  [
    'where={"categori":{"name":"a"}}',
    'categori is not a field to filter by: did you mean "category"?',
  ],
])("the refusal of %s names the mistake", async (query, message) => {
  const { body } = await shop.member.get<Refused>(`/products?${query}`);
  expect(body.issues).toEqual([{ param: query.split("=")[0], message }]);
});

test.each([
  ["by=statuss", '"statuss" is not a field: did you mean "status"?'],
  ["by=category.nam", '"nam" is not a field: did you mean "name"?'],
  ["by=categori.name", '"categori" is not a link: did you mean "category"?'],
  ["by=category.parent.name", '"category.parent.name" follows more than 1 link'],
  ["by=status,name:day", /^Must name enum, .*, but "name:day" is not one$/],
  ["by=createdAt:hour", /^Must name enum, .*, but "createdAt:hour" is not one$/],
  ["sum=price,stok", '"stok" is not a field: did you mean "stock"?'],
  ["sum=price,name", 'Must name number fields, but "name" is not one'],
  ["distinct=name,price", /^Must name enum, .*, but "price" is not one$/],
])("the refusal of _aggregate?%s names the mistake", async (query, message) => {
  const { body } = await shop.member.get<Refused>(`/products/_aggregate?${query}`);
  const [issue] = body.issues;
  expect(issue?.param).toBe(query.split("=")[0]);
  expect(issue?.message).toEqual(
    typeof message === "string" ? message : expect.stringMatching(message),
  );
});

test("one 400 names every wrong parameter", async () => {
  const query =
    "page=0&perPage=1000&sort=colour&filter[price]=x&filter[colour]=red&x=1&__proto__=1";
  expect(parameters(await shop.member.get(`/products?${query}`))).toEqual([
    "__proto__",
    "filter[colour]",
    "filter[price]",
    "page",
    "perPage",
    "sort",
    "x",
  ]);
});

test("a malformed escape or invalid UTF-8 in a query is 400", async () => {
  for (const query of ["q=%", "q=%zz", "q=%FF", "q=%ED%A0%80", "filter[name]=%C3%28", "%FF=1"]) {
    const reply = await shop.member.get(`/products?${query}`);
    expect(reply.status, query).toBe(400);
  }
});

test("a query string over 8 kB is 400, 414 or 431", async () => {
  for (const size of [8200, 10_000, 20_000]) {
    const reply = await shop.member.send("GET", `/products?q=${"a".repeat(size)}`);
    expect([400, 414, 431]).toContain(reply.status);
  }
});

test("the ends of each range are accepted", async () => {
  for (const query of [
    "page=1&perPage=1",
    "page=2147483648&perPage=100",
    `q=${"a".repeat(200)}`,
    "q=",
    "?q",
  ]) {
    const reply = await shop.member.get(`/products?${query.replace(/^\?/, "")}`);
    expect(reply.status, `${query} ${reply.text}`).toBe(200);
  }
  expect((await shop.member.get("/products?")).status).toBe(200);
});

test("a page beyond any number is 400, or empty", async () => {
  const reply = await shop.member.get("/products?page=99999999999999999999&perPage=100");
  expect([200, 400]).toContain(reply.status);
});

test("a number filter with any digits and exponent is read as in a body", async () => {
  for (const digits of ["1e-400", "1e-99999999", `0.${"0".repeat(400)}1`, "3.00", "-0", "1e308"]) {
    for (const path of [
      "/products?filter[price]",
      "/promotions?filter[boost]",
      "/promotions?filter[budget]",
    ]) {
      const reply = await shop.member.get(`${path}=${digits}`);
      expect(reply.status, `${path}=${digits} ${reply.text}`).toBe(200);
    }
  }
});

test("200 characters of q are code points", async () => {
  expect(
    (await shop.member.get(`/products?q=${encodeURIComponent("😀".repeat(200))}`)).status,
  ).toBe(200);
});
