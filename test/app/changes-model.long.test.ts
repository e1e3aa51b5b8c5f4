import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readState } from "../../runtime/changes/index.js";
import { newSession } from "../support/accounts/accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { numberAll } from "../support/changes/numbered.js";
import { openEvents, type StreamEvent } from "../support/http/event-stream.js";
import { tries } from "../support/searches.js";

const descriptors = new Map([
  [
    "things.yaml",
    `
changes: true
owner: userId
access: { read: [admin, owner], write: [admin] }
fields:
  userId: { type: belongsTo, resource: users, required: true }
  name: { type: string }
  status: { type: enum, values: [draft, live] }
`,
  ],
  ["marks.yaml", "changes: true\nfields: { name: { type: string } }\n"],
]);

let app: WrittenApp;
let admin: Account;
let owner: Account;
/** The position after the change with that number. */
let positionAt: (n: number) => string;

interface Account {
  readonly id: string;
  readonly token: string;
}

beforeAll(async () => {
  app = await startWrittenApp({ descriptors });
  const account = async (role: string | null): Promise<Account> => {
    const { id } = await app.caller(role);
    return { id, token: await newSession(app.db, id) };
  };
  [admin, owner] = await Promise.all([account("admin"), account(null)]);
  const { headers } = await (await app.caller("admin")).client.list("/things?position=true");
  const start = `${headers["changes-position"]}`.replace(/[^-]*$/, "");
  positionAt = (n) => `${start}${n.toString(36)}`;
});
afterAll(() => app.close());

const ids = ["019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"];

interface Thing {
  readonly name: string | null;
  readonly status: string | null;
  readonly isOwn: boolean;
}

/** What a record is from then on; null: deleted. */
interface Step {
  readonly at: number;
  readonly thing: Thing | null;
}

const thing: fc.Arbitrary<Thing> = fc.record({
  name: fc.constantFrom("tea", null),
  status: fc.constantFrom("draft", "live", null),
  isOwn: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.record({
  at: fc.nat({ max: ids.length - 1 }),
  thing: fc.option(thing, { freq: 3 }),
});

interface Reading {
  readonly by: "admin" | "owner";
  readonly watch: { readonly where?: object; readonly fields?: readonly string[] };
  shows(thing: Thing): boolean;
}

const readings: readonly Reading[] = [
  { by: "admin", watch: {}, shows: () => true },
  { by: "admin", watch: { where: { status: "live" } }, shows: ({ status }) => status === "live" },
  {
    by: "admin",
    watch: { where: { status: null }, fields: ["name"] },
    shows: ({ status }) => status === null,
  },
  { by: "owner", watch: {}, shows: ({ isOwn }) => isOwn },
  {
    by: "owner",
    watch: { where: { name: "tea" }, fields: ["status"] },
    shows: ({ isOwn, name }) => isOwn && name === "tea",
  },
];

/** Records as a reader sees them: their fields by their ids. */
type Seen = ReadonlyMap<string, object>;
type State = ReadonlyMap<string, Thing>;

function seenBy({ watch, shows }: Reading, state: State): Seen {
  const keys = watch.fields ?? ["name", "status"];
  return new Map(
    [...state].flatMap(([id, thing]) =>
      shows(thing) ? [[id, picked(keys, { ...thing })] as const] : [],
    ),
  );
}

function picked(keys: readonly string[], record: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}

/** The states before and after each step; makes the steps, one change each. */
async function make(steps: readonly Step[]): Promise<readonly State[]> {
  const states: State[] = [new Map()];
  for (const { at, thing } of steps) {
    const before = states.at(-1) ?? new Map();
    const id = ids[at] ?? "";
    const after = new Map(before);
    if (thing === null) {
      if (!after.delete(id)) continue;
      await app.db.query("delete from things where id = $1", [id]);
    } else {
      after.set(id, thing);
      const { name, status, isOwn } = thing;
      await app.db.query(
        before.has(id)
          ? "update things set name = $2, status = $3, user_id = $4 where id = $1"
          : "insert into things (id, name, status, user_id) values ($1, $2, $3, $4)",
        [id, name, status, (isOwn ? owner : admin).id],
      );
    }
    states.push(after);
  }
  return states;
}

/** Numbers so many changes, unless another process is numbering them; the number of the last one. */
async function number(most: number): Promise<number> {
  if (most > 0) await app.db.query("select service.sequence_changes($1)", [most]);
  return (await readState(app.db)).n;
}

/** The changes that a reader is told after a position, until that of the mark. */
async function told({ by, watch }: Reading, position: string): Promise<readonly StreamEvent[]> {
  const asked = JSON.stringify({ things: watch, marks: true });
  const path = `/_service/changes?watch=${encodeURIComponent(asked)}&after=${position}`;
  const stream = await openEvents(app.url, (by === "admin" ? admin : owner).token, path);
  const events = [await stream.next()];
  while (events.at(-1)?.data.resource !== "marks") events.push(await stream.next());
  stream.close();
  await stream.ended;
  return events.slice(1, -1);
}

/** What a reader has after some changes; one that `replaces` does nothing with an update of a record that it lacks. */
function applied(
  events: readonly StreamEvent[],
  seen: Seen,
  { keys, replaces }: { readonly keys: readonly string[]; readonly replaces: boolean },
): Seen {
  const records = new Map(seen);
  for (const { data } of events) {
    if (data.op === "delete") records.delete(data.id);
    else if (data.op === "create" || !replaces || records.has(data.id)) {
      records.set(data.id, picked(keys, data.record));
    }
  }
  return records;
}

test("the changes after a reader's position lead from any state it has to the current one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...readings),
      async (steps, from, some, reading) => {
        await app.db.query("delete from things");
        await numberAll(app.db);
        const { n: start } = await readState(app.db);
        const states = await make(steps);
        await app.db.query("insert into marks (name) values ('the last')");
        // Of the changes some have their numbers, the others get them while the reader gets the first.
        const known = some % (states.length + 1);
        await expect.poll(() => number(known)).toBeGreaterThanOrEqual(start + known);
        const begin = from % Math.min(known + 1, states.length);
        const events = await told(reading, positionAt(start + begin));
        const seen = states.slice(begin).map((state) => seenBy(reading, state));
        const keys = reading.watch.fields ?? ["name", "status"];
        for (const one of seen) {
          for (const replaces of [false, true]) {
            expect(applied(events, one, { keys, replaces })).toEqual(seen.at(-1));
          }
        }
        // It gets nothing about what it could never see, or, with `fields`, what looked the same all the time.
        for (const { data } of events) {
          const looks = new Set(seen.map((one) => JSON.stringify(one.get(data.id))));
          expect([...looks]).not.toEqual([undefined]);
          if (reading.watch.fields !== undefined) expect(looks.size).toBeGreaterThan(1);
        }
      },
    ),
    { numRuns: tries(1_000) },
  );
}, 240_000);
