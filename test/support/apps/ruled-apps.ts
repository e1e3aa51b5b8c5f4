import fc from "fast-check";
import type { Json } from "../http/client.js";
import type { Record } from "../query-model.js";
import type { Rule, RuledEntry } from "../rights/grants.js";
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
  role: ["lead", "member"],
};

const actions: readonly Action[] = ["list", "get", "stats", "create", "update", "delete"];

const roleLists = fc.constantFrom(["clerk"], ["editor"], ["clerk", "editor"]);

/** What decides about the rules of a resource. */
interface Ruled {
  readonly owned: Owned;
  /** Whether callers without a token can have a rule to create: they fill no field that needs an account. */
  readonly isOpenToCreate: boolean;
  /** Conditions on its records. */
  readonly conditions: fc.Arbitrary<Record>;
}

function accessRule(action: Action, ruled: Ruled): fc.Arbitrary<Rule> {
  const members = [["owner.lead"], ["owner.member", "clerk"], ["owner.lead", "owner.member"]];
  const owners = fc.constantFrom(
    ["owner"],
    ["clerk", "owner"],
    ["editor", "owner"],
    ...(ruled.owned === "by a group" ? members : []),
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<Rule>("signed-in") },
    { weight: 1, arbitrary: fc.constant<Rule>("nobody") },
    { weight: 2, arbitrary: roleLists },
    ...(ruled.owned !== "by nobody" ? [{ weight: 8, arbitrary: owners }] : []),
    ...(isOpenable(action, ruled) ? [{ weight: 2, arbitrary: fc.constant(["public"]) }] : []),
    { weight: 8, arbitrary: conditionalRule(action, ruled) },
  );
}

function isOpenable(action: Action, { isOpenToCreate }: Ruled): boolean {
  return ["list", "get", "stats"].includes(action) || (action === "create" && isOpenToCreate);
}

/** One to three entries, with conditions on the stored record, the written one, both, or neither. */
function conditionalRule(action: Action, ruled: Ruled): fc.Arbitrary<Rule> {
  const words = ["signed-in", "clerk", "editor"];
  if (ruled.owned !== "by nobody") words.push("owner", "owner");
  if (ruled.owned === "by a group") words.push("owner.lead", "owner.member");
  if (isOpenable(action, ruled)) words.push("public", "public", "public");
  const isChecked = action === "create" || action === "update";
  const where = fc.option(ruled.conditions, { freq: 3, nil: undefined });
  const check = isChecked
    ? fc.option(ruled.conditions, { freq: 1, nil: undefined })
    : fc.constant(undefined);
  const entry = fc.tuple(fc.constantFrom(...words), where, check).map(([who, stored, written]) => {
    const conditions = {
      ...(stored !== undefined && { where: who === "public" ? ofNobody(stored) : stored }),
      ...(written !== undefined && { check: who === "public" ? ofNobody(written) : written }),
    };
    return Object.keys(conditions).length === 0 ? who : { who, ...conditions };
  });
  return fc
    .uniqueArray(entry, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) })
    .map((entries): readonly (string | RuledEntry)[] => entries);
}

/** The condition of callers without an account. */
function ofNobody(condition: Record): Record {
  return JSON.parse(JSON.stringify(condition).replaceAll(ownAccount, anyTitle));
}

/** A condition on the caller's account, as JSON, and one for callers who have none. */
export const ownAccount = '{"accountId":"$accountId"}';
export const anyTitle = '{"title":{"ne":"coffee"}}';

/** Conditions on a record's fields, and over one or two links on those of others. */
function conditionsOf(links: 0 | 1 | 2, hasAccount: boolean): fc.Arbitrary<Record> {
  const plain: fc.Arbitrary<Record> = fc.constantFrom<Record>(
    ...plainConditions,
    ...(hasAccount ? [JSON.parse(ownAccount)] : []),
  );
  const linked = (depth: number): fc.Arbitrary<Record> =>
    depth === 0
      ? fc.constantFrom<Record>(...plainConditions)
      : fc.oneof(
          fc.constantFrom<Record>(...plainConditions),
          linked(depth - 1).map((parent) => ({ parent })),
        );
  const parts =
    links === 0
      ? plain
      : fc.oneof(
          plain,
          plain,
          linked(links - 1).map((parent) => ({ parent })),
        );
  return fc.oneof(
    { weight: 3, arbitrary: parts },
    { weight: 1, arbitrary: parts.map((not) => ({ not })) },
    { weight: 1, arbitrary: fc.tuple(parts, parts).map((or) => ({ or })) },
    { weight: 1, arbitrary: fc.tuple(parts, parts).map((and) => ({ and })) },
  );
}

const plainConditions: readonly Record[] = [
  { colour: "red" },
  { colour: { ne: "green" } },
  { colour: { in: ["red", null] } },
  { colour: { nin: ["blue", null] } },
  { stars: { gte: 1 } },
  { stars: null },
  { done: true },
  { done: { ne: true } },
  { title: "tea" },
  { remark: { starts: "T" } },
  { code: { ne: null }, stars: { lt: 2 } },
];

/** Possible owners of a record in the rules of a resource. */
type Owned = "by an account" | "by a group" | "by nobody";

const fieldRule = fc.oneof(fc.constantFrom("signed-in", "nobody"), roleLists);
/** Most fields have none. */
const fieldAccess = fc.option(fc.record({ read: fieldRule, write: fieldRule }), {
  freq: 2,
  nil: undefined,
});

/** Condition of a policy on the record: that a field does not have this value. */
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

/** How a resource has its owner: by an account or a group of its own, by the record that it belongs to, or not at all. */
type Ownership = "account" | "group" | "parent" | "none";

interface Shape {
  readonly ownership: Ownership;
  /** Whether records may have no account as their owner. */
  readonly isOwnerOptional: boolean;
  /** Whether the link to the resource above is required, and what its end means then. */
  readonly link: "cascade" | "refuse" | "optional";
}

const shape: fc.Arbitrary<Shape> = fc.record({
  ownership: fc.constantFrom("account", "group", "group", "parent", "parent", "parent", "none"),
  isOwnerOptional: fc.boolean(),
  link: fc.constantFrom("cascade", "refuse", "optional"),
});

/**
 * What every app has, as chance rarely brings it: an owner by a path of three links; a resource of which most
 * callers read only the id and the times; rules for reading a link, a file and a unique field.
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
    return fc.tuple(all, fc.constantFrom("account", "group")).map(([some, first]) => {
      const ownerships = [first, "parent", "parent"] as const;
      return some.map((one, depth) => ({ ...one, ownership: ownerships[depth] ?? "none" }));
    });
  }
  if (sure === null || sure === "nothing readable") return all;
  return all.map((some) =>
    some.map((one) => ({ ...one, ownership: "account", link: "optional" }) as const),
  );
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
  const team = { groups: `g${at}`, through: `m${at}` };
  return shapesOf(sure).chain((shapes) => {
    const ways: (string | null)[] = [];
    const parts = names.map((name, depth) => {
      const {
        ownership = "none",
        link = "optional",
        isOwnerOptional = false,
      } = shapes[depth] ?? {};
      const above = names[depth - 1];
      const wayAbove = ways[depth - 1] ?? null;
      const isByParent = ownership === "parent" && wayAbove !== null;
      const way = isByParent ? `parentId.${wayAbove}` : ownWay(ownership, depth);
      ways.push(way);
      return descriptor({
        above,
        way,
        team,
        depth,
        isOwnerOptional,
        link: isByParent && link === "optional" ? "cascade" : link,
        inverse: `${name}s`,
        isClosed: closedFor(sure, depth),
      });
    });
    const policies = fc.tuple(somePolicies, somePolicies, somePolicies);
    const hasGroups = ways.some(isOfGroup);
    const groups = hasGroups ? groupDescriptors(team) : fc.constant([]);
    return fc.tuple(fc.tuple(...parts), policies, groups).map(([all, own, others]) => ({
      descriptors: new Map([
        ...others,
        ...all.map((one, depth) => [names[depth] ?? "", one] as const),
      ]),
      policies: Object.fromEntries(names.map((name, depth) => [name, own[depth] ?? {}])),
    }));
  });
}

function ownWay(ownership: Ownership, depth: number): string | null {
  if (ownership === "group") return "groupId";
  return ownership === "account" || (depth === 0 && ownership === "parent") ? "accountId" : null;
}

function isOfGroup(way: string | null): boolean {
  return way?.endsWith("groupId") ?? false;
}

interface RuledTeam {
  /** Names of resources. */
  readonly groups: string;
  readonly through: string;
}

function accessOf(ruled: Ruled): fc.Arbitrary<object> {
  return fc
    .tuple(...actions.map((action) => accessRule(action, ruled)))
    .map((rules) => Object.fromEntries(actions.map((action, at) => [action, rules[at]])));
}

/** Groups and their members; in some apps the creator of a group is a lead. */
function groupDescriptors({
  groups,
  through,
}: RuledTeam): fc.Arbitrary<readonly (readonly [string, object])[]> {
  const founder = fc.constantFrom({ founder: "lead" }, {});
  const ofGroups = {
    owned: "by a group",
    isOpenToCreate: false,
    conditions: conditionsOf(0, false),
  } as const;
  const roles = fc.constantFrom<Record>({ role: "lead" }, { role: { ne: "lead" } });
  return fc
    .tuple(accessOf(ofGroups), accessOf({ ...ofGroups, conditions: roles }), founder)
    .map(([access, inner, founding]) => [
      [groups, { owner: { link: "id", through, ...founding }, access, fields: plainFields }],
      [
        through,
        {
          owner: { link: "groupId", through },
          access: inner,
          unique: [["groupId", "userId"]],
          fields: {
            groupId: { ...required(groups), onDelete: "cascade", inverse: `${through}s` },
            userId: required("users"),
            role: { type: "enum", values: ["lead", "member"], required: true, default: "member" },
          },
        },
      ],
    ]);
}

function required(resource: string) {
  return { type: "belongsTo", resource, required: true } as const;
}

function descriptor({
  above,
  way,
  team,
  depth,
  isOwnerOptional,
  link,
  inverse,
  isClosed,
}: {
  readonly above: string | undefined;
  /** The way to the owner. */
  readonly way: string | null;
  readonly team: RuledTeam;
  /** The number of links above. */
  readonly depth: number;
  readonly isOwnerOptional: boolean;
  readonly link: Shape["link"];
  readonly inverse: string;
  readonly isClosed: (name: string) => boolean;
}): fc.Arbitrary<object> {
  const owned = way === null ? "by nobody" : isOfGroup(way) ? "by a group" : "by an account";
  const hasAccount = way === "accountId";
  const isKept = isClosed("title") || (isClosed("parentId") && link !== "optional");
  const access = accessOf({
    owned,
    isOpenToCreate: !isKept && (!hasAccount || isOwnerOptional),
    conditions: conditionsOf(depth === 0 ? 0 : depth === 1 ? 1 : 2, hasAccount),
  });
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
  return fc.tuple(access, rules).map(([ruled, byField]) => {
    const ruleOf = (name: string) => {
      const own = byField[closable.indexOf(name)];
      if (isClosed(name)) return { access: { write: own?.write ?? "signed-in", read: ["editor"] } };
      return own === undefined ? {} : { access: own };
    };
    const fields: { [name: string]: object } = {};
    if (hasAccount) {
      const account = { ...required("users"), ...(isOwnerOptional && { required: false }) };
      fields.accountId = { ...account, ...ruleOf("accountId") };
    }
    if (way === "groupId") fields.groupId = { ...required(team.groups), onDelete: "cascade" };
    if (above !== undefined) {
      const whole = {
        required: true,
        onDelete: link,
        // Whoever may create a record has to be able to write what is required.
        ...(isClosed("parentId") && { access: { write: "signed-in", read: ["editor"] } }),
      };
      const kept = link === "optional" ? ruleOf("parentId") : whole;
      fields.parentId = { type: "belongsTo", resource: above, inverse, ...kept };
    }
    for (const [name, field] of Object.entries(plainFields)) {
      fields[name] = { ...field, ...ruleOf(name) };
    }
    return {
      ...(way !== null && {
        owner: owned === "by a group" ? { link: way, through: team.through } : way,
      }),
      access: ruled,
      fields,
    };
  });
}
