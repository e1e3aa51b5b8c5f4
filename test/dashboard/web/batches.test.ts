import { expect, test } from "vitest";
import { begun, progressed } from "../../../runtime/dashboard/web/api/records/batches.js";
import {
  type Chosen,
  nothing,
  type Selection,
  selected,
} from "../../../runtime/dashboard/web/screens/list/rows/selection.js";
import { spreadsheetLine } from "../../../runtime/values/files/csv-line.js";

const items = (...titles: readonly string[]) => titles.map((title) => ({ title, operation: {} }));

test("a run counts written rows, and names refused ones", () => {
  const errors = [
    { index: 1, status: 422, error: "Invalid", issues: [{ path: "price", message: "Too small" }] },
    { index: 2, status: 403, error: "Not allowed" },
  ];
  const state = progressed(begun(5), {
    kind: "answered",
    items: items("a", "b", "c"),
    errors,
    etags: [],
  });
  expect(state).toEqual({
    kind: "running",
    total: 5,
    written: 1,
    refused: [
      { title: "b", reason: "price: Too small" },
      { title: "c", reason: "Not allowed" },
    ],
    problem: null,
  });
});

test("a run waits, continues, stops and ends", () => {
  const held = progressed(begun(2), { kind: "held", problem: "No answer" });
  expect(held).toMatchObject({ kind: "held", problem: "No answer" });
  expect(progressed(held, { kind: "again" })).toMatchObject({ kind: "running", problem: null });
  const stopping = progressed(held, { kind: "stop" });
  expect(stopping.kind).toBe("stopping");
  // What was under way is counted still.
  const answered = progressed(stopping, {
    kind: "answered",
    items: items("a"),
    errors: [],
    etags: [],
  });
  expect(answered).toMatchObject({ kind: "stopping", written: 1 });
  const ended = progressed(answered, { kind: "ended" });
  expect(progressed(ended, { kind: "stop" }).kind).toBe("ended");
});

const page: readonly Chosen[] = ["a", "b", "c", "d"].map((id) => ({ id, title: id, etag: null }));
const row = (at: number) => page[at] as Chosen;
const ids = (selection: Selection) =>
  selection.kind === "some" ? selection.chosen.map(({ id }) => id).sort() : selection.kind;

test("rows are chosen one by one, in ranges, by page and all", () => {
  const one = selected(nothing, { kind: "toggle", row: row(0), page });
  expect(ids(one)).toEqual(["a"]);
  const three = selected(one, { kind: "range", row: row(2), page });
  expect(ids(three)).toEqual(["a", "b", "c"]);
  expect(ids(selected(three, { kind: "toggle", row: row(1), page }))).toEqual(["a", "c"]);
  expect(ids(selected(one, { kind: "toggle", row: row(0), page }))).toBe("none");
  const other = { id: "x", title: "x", etag: null };
  const both = selected(selected(nothing, { kind: "toggle", row: other, page: [other] }), {
    kind: "page",
    page,
    isOn: true,
  });
  expect(ids(both)).toEqual(["a", "b", "c", "d", "x"]);
  expect(ids(selected(both, { kind: "page", page, isOn: false }))).toEqual(["x"]);
  // Shift with the arrows: down to the third row, and up again past where it began.
  const step = (from: Selection, [a, b]: readonly [string, string]) =>
    selected(from, { kind: "extend", from: a, to: b, page });
  const down = [
    ["b", "c"],
    ["c", "d"],
  ] as const;
  expect(ids(down.reduce(step, nothing))).toEqual(["b", "c", "d"]);
  const up = [
    ["d", "c"],
    ["c", "b"],
    ["b", "a"],
  ] as const;
  expect(ids(up.reduce(step, down.reduce(step, nothing)))).toEqual(["a", "b"]);
  // Away from the row that was chosen last another selection begins, and takes nothing in between.
  expect(ids(step(one, ["c", "d"]))).toEqual(["a", "c", "d"]);
  const apart = selected(one, { kind: "toggle", row: row(3), page });
  expect(ids(step(apart, ["a", "b"]))).toEqual(["a", "b", "d"]);
  const all = selected(one, { kind: "all", condition: "q=a", at: "2026", total: 99 });
  expect(ids(all)).toBe("all");
  expect(ids(selected(all, { kind: "toggle", row: row(0), page }))).toEqual(["b", "c", "d"]);
  expect(ids(selected(all, { kind: "clear" }))).toBe("none");
});

test("a spreadsheet executes nothing in a file, and numbers stay numbers", () => {
  expect(
    spreadsheetLine(["=1+1", "+x", "-5.20", "-x", "@a", "\tb", "\rc", 'say "hi", you', "tea"]),
  ).toBe(`'=1+1,'+x,-5.20,'-x,'@a,'\tb,"'\rc","say ""hi"", you",tea\r\n`);
});
