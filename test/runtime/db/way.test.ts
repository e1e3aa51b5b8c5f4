import { expect, test } from "vitest";
import type { Plan } from "../../../runtime/db/index.js";
import { isSentWithCaller, wayBehindPooler, wayOf } from "../../../runtime/db/run/way.js";

const caller = { sql: () => "", values: [], key: "" };
const long = "select 1 as one ".repeat(2_000);

/** Each line: a plan, where it runs, and what is done besides. */
const cases: readonly [Partial<Plan>, string, string][] = [
  [{ cost: "key" }, "lookUps, prepared first", ""],
  [{ cost: "key", depends: "rows", resource: "a" }, "lookUps, prepared first", ""],
  [{ cost: "key", caller }, "lookUps, prepared first", ""],
  [{ cost: "index" }, "pages, prepared repeated", ""],
  [{ cost: "index", depends: "rows", resource: "a" }, "pages, prepared repeated", "cached"],
  [
    { cost: "index", depends: "caller", resource: "a", caller },
    "pages, prepared repeated",
    "cached",
  ],
  [{ cost: "index", depends: "rows" }, "pages, prepared repeated", ""],
  [{ cost: "index", depends: "time", resource: "a" }, "pages, prepared repeated", ""],
  [{ cost: "scan" }, "pool, prepared repeated", ""],
  [{ cost: "scan", isVaried: true }, "pool, prepared never", ""],
  [{ cost: "scan", resource: "a" }, "pool, prepared repeated", "fair"],
  [{ cost: "scan", depends: "rows", resource: "a" }, "pool, prepared repeated", "fair cached"],
  [{ cost: "scan", depends: "time", resource: "a" }, "pool, prepared repeated", "fair"],
  [
    { cost: "scan", depends: "rows", resource: "a", caller },
    "pool, prepared repeated",
    "fair cached",
  ],
  [{ cost: "scan", depends: "rows", resource: "a", text: long }, "pool, prepared repeated", "fair"],
  [{ cost: "aggregate", depends: "rows", resource: "a" }, "pool, prepared never", "fair cached"],
  [{ cost: "aggregate", depends: "time", resource: "a" }, "pool, prepared never", "fair"],
  [{ cost: "aggregate" }, "pool, prepared never", ""],
];

const named = cases.map(([plan, place, besides]) => {
  const { text, caller: asker, ...rest } = plan;
  const more = [asker && "for a caller", text && "a long text"].filter(Boolean).join(", ");
  return [`${JSON.stringify(rest)} ${more}`, place, besides, plan] as const;
});

test.each(named)("%s: %s, %s", (_, place, besides, plan) => {
  expect(shown(plan, wayOf)).toEqual([place, besides]);
});

test.each(named)("behind a pooling proxy, in the pool: %s", (_, __, besides, plan) => {
  const expected = besides.replace(/ ?cached/, "");
  expect(shown(plan, wayBehindPooler)).toEqual(["pool, prepared never", expected]);
});

test("only quick plans are sent before their caller is known", () => {
  const sent = (["key", "index", "scan", "aggregate"] as const).map((cost) =>
    isSentWithCaller({ text: "", values: [], cost }),
  );
  expect(sent).toEqual([true, true, false, false]);
});

function shown(plan: Partial<Plan>, decide: typeof wayOf): readonly [string, string] {
  const whole: Plan = { text: "select 1", values: [], cost: "key", ...plan };
  const way = decide(whole);
  const besides = [way.isFair && "fair", way.isCached && "cached"];
  const place = `${way.pipeline ?? "pool"}, prepared ${way.prepared}`;
  return [place, besides.filter((one) => one !== false).join(" ")];
}
