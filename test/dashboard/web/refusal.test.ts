import { expect, test } from "vitest";
import { ApiError, NetworkError } from "../../../runtime/dashboard/web/api/client/errors.js";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { readRefusal } from "../../../runtime/dashboard/web/screens/record/form/refusal.js";

const fields: readonly Field[] = [{ name: "name", type: "string", unique: true }];

function read(status: number, body?: object, headers: Readonly<Record<string, string>> = {}) {
  return readRefusal(new ApiError(new Response(null, { status, headers }), body), fields);
}

test("a value taken while the form was being sent is reported at its field", () => {
  expect(read(409, { error: "The value has just been taken", field: "name" })).toEqual({
    refusal: { kind: "refused", messages: [] },
    fields: { name: "The value has just been taken" },
    together: [],
  });
});

test("a form that is too large for a proxy says what to do", () => {
  expect(read(413).refusal).toEqual({
    kind: "refused",
    messages: [
      "The request is too large for the proxy in front of the server (413).",
      "Shorten the longest text, then save again.",
    ],
  });
});

test("without a response, or while the first attempt is under way, the same form can be sent again", () => {
  expect(readRefusal(new NetworkError("no answer"), fields).refusal.kind).toBe("unsent");
  expect(read(503).refusal.kind).toBe("unsent");
  expect(read(409, { error: "Under way" }, { "retry-after": "1" }).refusal).toEqual({
    kind: "unsent",
    message: "Under way",
  });
});

test("an issue of no field of the form is shown above it", () => {
  const issues = [
    { path: "name", message: "At most 80 characters" },
    { path: "imageFile", message: "Unknown key" },
  ];
  expect(read(422, { error: "No", issues })).toEqual({
    refusal: { kind: "refused", messages: ["imageFile: Unknown key"] },
    fields: { name: "At most 80 characters" },
    together: [],
  });
});

test("values that are unique together are refused together, by the error at each or at the first", () => {
  const form = ["a", "b", "c"].map((name): Field => ({ name, type: "string" }));
  const unique = [
    ["a", "b"],
    ["a", "c"],
    ["b", "hidden"],
  ];
  const refused = (status: number, body: object) =>
    readRefusal(new ApiError(new Response(null, { status }), body), form, unique).together;
  const issues = [
    { path: "a", message: "Too long" },
    { path: "a", message: "Another record has the same a and b" },
    { path: "b", message: "Another record has the same a and b" },
  ];
  expect(refused(422, { error: "No", issues })).toContainEqual(["a", "b"]);
  expect(refused(422, { error: "No", issues })).not.toContainEqual(["a", "c"]);
  expect(refused(409, { error: "Taken", field: "b" })).toEqual([["b", "hidden"]]);
});
