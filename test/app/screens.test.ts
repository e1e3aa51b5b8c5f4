import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

let app: WrittenApp;
let ada: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "people.yaml",
        `title: [firstName, lastName]
fields:
  firstName: { type: string }
  lastName: { type: string }
  portrait: { type: image, alt: lastName }
  code: { type: string, pattern: "[A-Z]{2}", patternHint: Two capital letters }
`,
      ],
      [
        "visits.yaml",
        `title: personId
fields:
  personId: { type: belongsTo, resource: people }
  on: { type: date }
`,
      ],
    ]),
  });
  ({ client: ada } = await app.caller(null));
});
afterAll(() => app.close());

test("screens get a record's naming fields, a picture's description and a pattern's hint", async () => {
  const { body } = await ada.get<{ data: readonly object[] }>("/_service/resources");
  expect(body.data).toMatchObject([
    {
      title: ["firstName", "lastName"],
      fields: [{}, {}, { alt: "lastName" }, { patternHint: "Two capital letters" }],
    },
    { title: "personId" },
  ]);
});

test("a value that does not match its pattern is refused with the hint", async () => {
  const refused = await ada.post("/people", { code: "x" });
  expectRefusal(refused, 422, ["issues"]);
  expect(refused.body).toMatchObject({
    issues: [{ path: "code", message: "Two capital letters" }],
  });
});
