import { expect, test } from "vitest";
import type { Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import { thing, things, titleOf } from "../../../runtime/dashboard/web/api/records/descriptors.js";
import { namingParams, withNaming } from "../../../runtime/dashboard/web/api/records/naming.js";

const resource = (name: string, more: Pick<Resource, "fields"> & Partial<Resource>): Resource => {
  return { name, singular: name, label: name, path: `/api/${name}`, ...more };
};

const [people, visits] = withNaming([
  resource("people", {
    title: ["firstName", "lastName"],
    fields: [
      { name: "firstName", type: "string" },
      { name: "lastName", type: "string" },
    ],
  }),
  resource("visits", {
    title: ["personId", "on", "room"],
    fields: [
      { name: "personId", type: "belongsTo", resource: "people", link: "person" },
      { name: "on", type: "date" },
      { name: "room", type: "string" },
    ],
  }),
]) as [Resource, Resource];

const row = (values: object) => ({ id: "01890000-0000-7000-8000-00000000abcd", ...values });

test("the texts of a title are joined by a space, without empty ones", () => {
  expect(titleOf(people, row({ firstName: "Ada", lastName: "Lovelace" }))).toBe("Ada Lovelace");
  expect(titleOf(people, row({ firstName: null, lastName: "Lovelace" }))).toBe("Lovelace");
  expect(titleOf(people, row({ firstName: null, lastName: null }))).toBe("0000abcd");
});

test("the title of a linked record is separated", () => {
  const visit = {
    on: "2026-11-21",
    room: "7",
    person: { id: "1", firstName: "Ada", lastName: "Lovelace" },
  };
  expect(titleOf(visits, row(visit))).toBe("Ada Lovelace · 2026-11-21 7");
  expect(titleOf(visits, row({ ...visit, person: null }))).toBe("2026-11-21 7");
  expect(Object.fromEntries(namingParams(visits))).toEqual({
    fields: "on,room",
    include: "person",
    "include[person][fields]": "firstName,lastName",
  });
});

test("a label within a sentence begins in lower case, unless it is an abbreviation", () => {
  const named = (label: string) => resource("any", { label, singular: label, fields: [] });
  expect(things(named("Order items"))).toBe("order items");
  expect(things(named("EMEA customers"))).toBe("EMEA customers");
  expect(thing(named("iPad"))).toBe("iPad");
});
