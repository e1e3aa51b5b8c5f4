import fc from "fast-check";
import type { Json } from "../http/client.js";
import type { Record } from "../query-model.js";
import type { Action, Asker, OwnPolicies } from "../rights/model.js";

/** A small app with rules of every kind: its descriptors, by name, and its own policies. */
export interface RuledApp {
  readonly descriptors: ReadonlyMap<string, object>;
  readonly policies: OwnPolicies;
}

/** The roles of those who ask; nobody's rule names the last but one. */
export const ruledRoles = [null, null, "clerk", "editor", "owner"] as const;

/** Values of the fields of these apps. */
export const ruledValues: { readonly [field: string]: readonly Json[] } = {
  title: ["tea", "coffee"],
  code: ["c0", "c1", "c2", "new", null],
  colour: ["red", "green", null],
  remark: ["tea", "other", null],
  stars: [0, 1, 2, null],
  done: [true, false, null],
};

const actions: readonly Action[] = ["list", "get", "stats", "create", "update", "delete"];

const roleLists = fc.constantFrom(["clerk"], ["editor"], ["clerk", "editor"]);

function accessRule(isOwned: boolean): fc.Arbitrary<string | readonly string[]> {
  const owners = fc.constantFrom(["owner"], ["clerk", "owner"], ["editor", "owner"]);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant("signed-in") },
    { weight: 1, arbitrary: fc.constant("nobody") },
    { weight: 2, arbitrary: roleLists },
    ...(isOwned ? [{ weight: 8, arbitrary: owners }] : []),
  );
}

const fieldRule = fc.oneof(fc.constantFrom("signed-in", "nobody"), roleLists);
/** Most fields have none. */
const fieldAccess = fc.option(fc.record({ read: fieldRule, write: fieldRule }), {
  freq: 2,
  nil: undefined,
});

/** What a policy asks of the record, besides the caller: that a field does not have that value. */
const refusing = fc.constantFrom<{ readonly field: string; readonly value: Json }>(
  { field: "colour", value: "red" },
  { field: "stars", value: 2 },
  { field: "title", value: "coffee" },
);

function policy(
  action: Action,
): fc.Arbitrary<(asker: Pick<Asker, "role">, record: Record) => boolean> {
  const role = fc.constantFrom(null, "clerk", "editor");
  if (action === "list" || action === "stats") {
    return role.map((refused) => (asker: Pick<Asker, "role">) => asker.role !== refused);
  }
  return fc.tuple(role, refusing).map(
    ([trusted, { field, value }]) =>
      (asker: Pick<Asker, "role">, record: Record) =>
        (trusted !== null && asker.role === trusted) || (record[field] ?? null) !== value,
  );
}

const somePolicies = fc
  .tuple(...actions.map((action) => fc.option(policy(action), { freq: 1, nil: undefined })))
  .chain((all) =>
    // Of eight resources one has several policies.
    fc.option(fc.constant(all), { freq: 1, nil: undefined }).map((kept) =>
      Object.fromEntries(
        actions.flatMap((action, at) => {
          const own = kept?.[at];
          return own === undefined ? [] : [[action, own] as const];
        }),
      ),
    ),
  );

/** How a resource has its owner: by an account of its own, by the record that it belongs to, or not at all. */
type Ownership = "account" | "parent" | "none";

interface Shape {
  readonly ownership: Ownership;
  /** Whether the link to the resource above is required, and what its end means then. */
  readonly link: "cascade" | "refuse" | "optional";
}

const shape: fc.Arbitrary<Shape> = fc.record({
  ownership: fc.constantFrom("account", "parent", "parent", "none"),
  link: fc.constantFrom("cascade", "refuse", "optional"),
});

/**
 * What an app has for certain, as chance seldom brings it: an owner by a path of three links; a resource of which most
 * callers read nothing but the id and the times; rules for reading a link, a file and a unique field.
 */
const sures = [
  "three links",
  "nothing readable",
  "ruled link, file and unique field",
  null,
] as const;
type Sure = (typeof sures)[number];

function shapesOf(sure: Sure): fc.Arbitrary<readonly Shape[]> {
  const all = fc.tuple(shape, shape, shape);
  if (sure === "three links") {
    const ownerships = ["account", "parent", "parent"] as const;
    return all.map((some) =>
      some.map((one, depth) => ({ ...one, ownership: ownerships[depth] ?? "none" })),
    );
  }
  if (sure === null || sure === "nothing readable") return all;
  return all.map((some) => some.map(() => ({ ownership: "account", link: "optional" }) as const));
}

/** The fields that only an editor reads for certain, of those that may have rules. */
function closedFor(sure: Sure, depth: number): (name: string) => boolean {
  if (sure === "nothing readable") return () => depth === 1;
  const ruled: readonly string[] =
    sure === null || sure === "three links" ? [] : ["parentId", "scan", "code"];
  return (name) => ruled.includes(name);
}

const plainFields = {
  title: { type: "string", required: true, maxLength: 40 },
  code: { type: "string", unique: true, maxLength: 40 },
  colour: { type: "enum", values: ["red", "green", "blue"], default: "red" },
  remark: { type: "string", maxLength: 40 },
  stars: { type: "number", integer: true },
  done: { type: "boolean", default: false },
  scan: { type: "file" },
} as const;

/**
 * Three resources, each linked to the one before; `at` is in their names, so that several such apps fit into one
 * server.
 */
export function ruledApp(at: number): fc.Arbitrary<RuledApp> {
  const names = [`a${at}`, `b${at}`, `c${at}`];
  const sure = sures[at % sures.length] ?? null;
  return shapesOf(sure).chain((shapes) => {
    const ways: (string | null)[] = [];
    const parts = names.map((name, depth) => {
      const { ownership, link } = shapes[depth] ?? { ownership: "none", link: "optional" };
      const above = names[depth - 1];
      const wayAbove = ways[depth - 1] ?? null;
      const isByParent = ownership === "parent" && wayAbove !== null;
      const owner = isByParent
        ? `parentId.${wayAbove}`
        : ownership === "account" || (depth === 0 && ownership === "parent")
          ? "accountId"
          : null;
      ways.push(owner);
      return descriptor({
        above,
        owner,
        link: isByParent && link === "optional" ? "cascade" : link,
        inverse: `${name}s`,
        isClosed: closedFor(sure, depth),
      });
    });
    const policies = fc.tuple(somePolicies, somePolicies, somePolicies);
    return fc.tuple(fc.tuple(...parts), policies).map(([all, own]) => ({
      descriptors: new Map(all.map((one, depth) => [names[depth] ?? "", one])),
      policies: Object.fromEntries(names.map((name, depth) => [name, own[depth] ?? {}])),
    }));
  });
}

function descriptor({
  above,
  owner,
  link,
  inverse,
  isClosed,
}: {
  readonly above: string | undefined;
  readonly owner: string | null;
  readonly link: Shape["link"];
  readonly inverse: string;
  readonly isClosed: (name: string) => boolean;
}): fc.Arbitrary<object> {
  const isOwned = owner !== null;
  const access = fc.tuple(...actions.map(() => accessRule(isOwned)));
  const closable: readonly string[] = [
    "code",
    "colour",
    "remark",
    "stars",
    "done",
    "scan",
    "parentId",
  ];
  const rules = fc.tuple(...closable.map(() => fieldAccess));
  return fc.tuple(access, rules).map(([byAction, byField]) => {
    const ruleOf = (name: string) => {
      const own = byField[closable.indexOf(name)];
      if (isClosed(name)) return { access: { write: own?.write ?? "signed-in", read: ["editor"] } };
      return own === undefined ? {} : { access: own };
    };
    const fields: { [name: string]: object } = {};
    if (owner === "accountId") {
      const users = { type: "belongsTo", resource: "users", required: true };
      fields.accountId = { ...users, ...ruleOf("accountId") };
    }
    if (above !== undefined) {
      const required = {
        required: true,
        onDelete: link,
        // Whoever may create a record has to be able to write what is required.
        ...(isClosed("parentId") && { access: { write: "signed-in", read: ["editor"] } }),
      };
      const kept = link === "optional" ? ruleOf("parentId") : required;
      fields.parentId = { type: "belongsTo", resource: above, inverse, ...kept };
    }
    for (const [name, field] of Object.entries(plainFields)) {
      fields[name] = { ...field, ...ruleOf(name) };
    }
    return {
      ...(isOwned && { owner }),
      access: Object.fromEntries(actions.map((action, at) => [action, byAction[at]])),
      fields,
    };
  });
}
