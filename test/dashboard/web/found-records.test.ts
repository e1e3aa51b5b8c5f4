import { expect, test } from "vitest";
import type { Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import { detailsOf } from "../../../runtime/dashboard/web/api/records/record-search.js";

const people: Resource = {
  name: "people",
  singular: "person",
  label: "People",
  path: "/api/people",
  list: ["name", "city"],
  fields: [
    { name: "name", type: "string", required: true },
    { name: "city", type: "string" },
    { name: "mail", type: "string", format: "email" },
  ],
};
const id = (end: string) => `01890000-0000-7000-8000-00000000${end}`;
const [ada, again, same, bare] = [
  { id: id("0001"), name: "Ada", mail: "ada@example.com" },
  { id: id("0002"), name: "Ada", mail: "ada@example.org" },
  { id: id("0003"), name: "Ada", mail: "ada@example.org" },
  { id: id("0004"), name: "Ada", mail: null },
];

test("records with the same title differ by an address before a column of the list", () => {
  expect([ada, again].map(detailsOf(people, [ada, again]))).toEqual([
    "ada@example.com",
    "ada@example.org",
  ]);
});

test("records with equal titles and columns differ by the end of the id", () => {
  const rows = [ada, again, same, bare];
  expect(rows.map(detailsOf(people, rows))).toEqual([
    "ada@example.com",
    "ada@example.org · …0002",
    "ada@example.org · …0003",
    undefined,
  ]);
});

test("without an address, by the first column of the list", () => {
  const { fields, ...rest } = people;
  const towns = { ...rest, fields: fields.slice(0, 2) };
  const rows = [{ id: id("0001"), name: "Ada", city: "London" }];
  expect(rows.map(detailsOf(towns, rows))).toEqual(["London"]);
});
