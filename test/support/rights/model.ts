import type { Json } from "../http/client.js";
import {
  type Described,
  type Model,
  newModel,
  type Record,
  type Relation,
} from "../query-model.js";
import {
  type Asker,
  type Grant,
  grantsOf,
  hasConditions,
  isJudged,
  isOpen,
  meantBy,
  type Rule,
} from "./grants.js";

export type { Asker } from "./grants.js";
export type Action = "list" | "get" | "stats" | "create" | "update" | "delete";

/** Settings and rules of a resource in its descriptor. */
export interface Ruled extends Described {
  readonly access: { readonly [action in Action]: Rule };
  readonly owner?: string | TeamOwner;
  /** Lists of fields that are unique together. */
  readonly unique?: readonly (readonly string[])[];
  readonly fields: readonly (Described["fields"][number] & {
    readonly unique?: boolean;
    readonly onDelete?: string;
    readonly default?: Json;
    readonly access?: { readonly read: Rule; readonly write: Rule };
  })[];
}

/** The members of a group own a record. */
interface TeamOwner {
  readonly link: string;
  readonly through: string;
  readonly group: string;
  readonly account: string;
  readonly role?: string;
  readonly founder?: string;
}

export type Rows = Map<string, Record[]>;

/** Uploads are kept among the rows by this name. */
export const files = "(files)";

/** The app's own policies: of a read by list or statistics without a record, of a create with its values. */
export type OwnPolicies = {
  readonly [resource: string]: {
    readonly [action in Action]?: (asker: Pick<Asker, "role">, record: Record) => boolean;
  };
};

interface IncludedOptions {
  readonly next?: Relation | null;
  readonly isCounted?: boolean;
  /** The most records of an inverse. */
  readonly size?: number;
}

/** One write of one record; `id` is null for a new one. */
export interface Attempt {
  readonly resource: string;
  readonly kind: "create" | "update" | "replace" | "delete";
  readonly id: string | null;
  readonly values: Record;
}

/** Rights of a caller, as in `can`. */
export type Permission = boolean | "own" | "some" | "maybe";

/** What the app answers to a write. */
export interface Verdict {
  readonly status: number;
  /** Of a 422. */
  readonly paths: readonly string[];
  /** Whether it is refused before the record's tag is compared. */
  readonly isEarly: boolean;
}

/** Rights to see and write all records of an app, in plain JavaScript. */
export class Rights {
  readonly #described: readonly Ruled[];
  readonly #rows: Rows;
  readonly #policies: OwnPolicies;

  constructor(described: readonly Ruled[], rows: Rows, policies: OwnPolicies = {}) {
    this.#described = described;
    this.#rows = rows;
    this.#policies = policies;
  }

  can(asker: Asker, resource: string, action: Action): Permission {
    const scope = this.scope(asker, resource, action);
    if (scope === "none") return false;
    if (this.#policies[resource]?.[action] !== undefined) return "maybe";
    const grants = this.#grants(asker, resource, action);
    if (grants === "all") return true;
    return grants.some(({ isConditional }) => isConditional) ? "some" : "own";
  }

  /** The status of a request for which the rule gives the caller nothing. */
  refusal({ isVisitor }: Asker): 401 | 403 {
    return isVisitor ? 401 : 403;
  }

  hasPolicy(resource: string, action: Action): boolean {
    return this.#policies[resource]?.[action] !== undefined;
  }

  /** Result of the app's policy, true without one. */
  agrees(asker: Asker, resource: string, action: Action, record: Record = {}): boolean {
    return this.#policies[resource]?.[action]?.({ role: asker.role }, record) ?? true;
  }

  /** Whether a query that compares or shows these records through a relation is 403. */
  isShut(asker: Asker, resource: string, action: "list" | "get"): boolean {
    if (resource === "users") return asker.isVisitor === true;
    if (this.scope(asker, resource, action) === "none") return true;
    if (action === "get") return this.hasPolicy(resource, "get");
    return !this.agrees(asker, resource, "list");
  }

  /** Whether the caller may not name a relation, because it goes by a link that is closed to them. */
  isHidden(asker: Asker, resource: string, relation: Relation): boolean {
    const from = relation.isInverse ? relation.resource : resource;
    if (from === "users") return false;
    const link = this.of(from).fields.find(({ name, inverse }) =>
      relation.isInverse ? inverse === relation.name : name.replace(/Id$/, "") === relation.name,
    );
    return link !== undefined && this.closed(asker, from, "read").includes(link.name);
  }

  /**
   * What an include of that relation adds to a record: its link's record or null, or the inverse's; with a further
   * relation of those records, and the number of all.
   */
  included(
    asker: Asker,
    record: Record,
    relation: Relation,
    { next = null, isCounted = false, size = 10 }: IncludedOptions = {},
  ): Json {
    const { resource, isInverse } = relation;
    const texts = this.of(resource).fields.filter(({ type }) => type === "text");
    const reached = this.reached(asker, resource, isInverse ? "list" : "get");
    const all = relation.from(record).flatMap((row) => {
      const own = reached.find(({ id }) => id === row.id);
      return own === undefined ? [] : [own];
    });
    const shown = all
      .toSorted((a, b) => compareKeys([a.createdAt, a.id], [b.createdAt, b.id]))
      .map((row) => {
        const entries = Object.entries(this.shown(asker, resource, row));
        const own = entries.filter(([key]) => texts.every(({ name }) => name !== key));
        const inside =
          next === null ? [] : [[next.name, this.included(asker, row, next, { size: 4 })] as const];
        return Object.fromEntries([...own, ...inside]);
      });
    if (!isInverse) return shown[0] ?? null;
    const count = isCounted ? { count: shown.length } : {};
    return { data: shown.slice(0, size), more: shown.length > size, ...count };
  }

  /** The same rights over a separate copy of the records. */
  copy(): Rights {
    return new Rights(this.#described, new Map(this.#rows), this.#policies);
  }

  /** With other ids: those of records that the model has made before the app did. */
  withIds(ids: ReadonlyMap<string, string>): Rights {
    const rows = [...this.#rows].map(([name, all]) => [name, withIds(all, ids)] as const);
    return new Rights(this.#described, new Map(rows), this.#policies);
  }

  isFileOf(resource: string, field: string, key: Json): boolean {
    return this.rowsOf(files).some(
      (file) => file.key === key && file.resource === resource && file.field === field,
    );
  }

  /** Relations of all records, regardless of rights. */
  relationsOf(resource: string): readonly Relation[] {
    return newModel(this.#described, this.#rows).relationsOf(resource);
  }

  of(resource: string): Ruled {
    const found = this.#described.find(({ name }) => name === resource);
    if (found === undefined) throw new Error(`no resource ${resource}`);
    return found;
  }

  rowsOf(resource: string): readonly Record[] {
    return this.#rows.get(resource) ?? [];
  }

  /** Which records the rule gives to the caller. */
  scope(asker: Asker, resource: string, action: Action): "all" | "some" | "none" {
    const grants = this.#grants(asker, resource, action);
    if (grants === "all") return "all";
    return grants.length === 0 ? "none" : "some";
  }

  #grants(asker: Asker, resource: string, action: Action): "all" | readonly Grant[] {
    const { access, owner } = this.of(resource);
    return grantsOf(access[action], asker, { hasOwner: owner !== undefined });
  }

  /** Whether the record is the caller's, or of a group in which the caller has a role that the words name. */
  #owns(asker: Asker, resource: string, words: readonly string[], record: Record): boolean {
    const { owner } = this.of(resource);
    const end = this.#endOf(resource, record, wayOf(owner));
    if (end === undefined || owner === undefined) return false;
    if (typeof owner === "string") return end === asker.id;
    const { through, group, account, role = "" } = owner;
    return this.rowsOf(through).some(
      (row) =>
        row[group] === end &&
        row[account] === asker.id &&
        (words.includes("owner") || words.includes(`owner.${row[role]}`)),
    );
  }

  /** Whether the record has the owner and fulfils the condition of an entry, judged for the app. */
  #fulfils(
    asker: Asker,
    resource: string,
    record: Record,
    { owners, condition }: { readonly owners: Grant["owners"]; readonly condition: Record },
  ): boolean {
    if (owners !== null && !this.#owns(asker, resource, owners, record)) return false;
    const whole = newModel(this.#described, this.#rows);
    return whole.fulfils(resource, record, meantBy(asker, condition));
  }

  /** Whether an entry gives the stored record and allows the written one; the first is null for a new record. */
  #allows(
    asker: Asker,
    resource: string,
    grants: readonly Grant[],
    { stored, written, after }: { stored: Record | null; written: Record; after: Rights },
  ): boolean {
    return grants.some(({ owners, where, check }) => {
      const isGiven =
        stored === null
          ? after.#fulfils(asker, resource, written, { owners, condition: where })
          : this.#fulfils(asker, resource, stored, { owners, condition: where });
      return isGiven && after.#fulfils(asker, resource, written, { owners, condition: check });
    });
  }

  /** What the way leads to: the id of an account or of a group. */
  #endOf(resource: string, record: Record, [link = "", ...way]: string[]): Json | undefined {
    if (way.length === 0) return record[link];
    const to = this.of(resource).fields.find(({ name }) => name === link)?.resource ?? "";
    const next = this.rowsOf(to).find(({ id }) => id === record[link]);
    return next && this.#endOf(to, next, way);
  }

  /** The records in which the caller has that right. */
  reached(asker: Asker, resource: string, action: Action): readonly Record[] {
    const grants = this.#grants(asker, resource, action);
    const rows = this.rowsOf(resource);
    if (grants === "all") return rows;
    return rows.filter((row) =>
      grants.some(({ owners, where }) =>
        this.#fulfils(asker, resource, row, { owners, condition: where }),
      ),
    );
  }

  closed(asker: Asker, resource: string, way: "read" | "write"): readonly string[] {
    if (resource === "users") return [];
    return this.of(resource)
      .fields.filter(({ access }) => access !== undefined && !isOpen(access[way], asker))
      .map(({ name }) => name);
  }

  shown(asker: Asker, resource: string, record: Record): Record {
    const closed = this.closed(asker, resource, "read").flatMap((key) => [key, `${key}File`]);
    return Object.fromEntries(Object.entries(record).filter(([key]) => !closed.includes(key)));
  }

  /** The app as the caller's lists show it. */
  view(asker: Asker): Model {
    const rows = this.#described.map(({ name }) => {
      const reached = this.reached(asker, name, "list");
      return [name, reached.map((row) => this.shown(asker, name, row))] as const;
    });
    return newModel(this.#described, new Map([...rows, ["users", this.rowsOf("users")]]));
  }

  verdict(asker: Asker, attempt: Attempt): Verdict {
    const { resource, kind, id, values } = attempt;
    const action = kind === "replace" ? "update" : kind;
    const early = (status: number): Verdict => ({ status, paths: [], isEarly: true });
    const late = (status: number): Verdict => ({ status, paths: [], isEarly: false });
    const grants = this.#grants(asker, resource, action);
    if (grants.length === 0) return early(this.refusal(asker));
    const own = grants !== "all" && grants.every(({ owners }) => owners !== null);
    const isThere = this.reached(asker, resource, action).some((row) => row.id === id);
    const stored = this.rowsOf(resource).find((row) => row.id === id) ?? {};
    if (kind !== "create" && !isThere) return early(this.#isOnlyGot(asker, attempt) ? 403 : 404);
    const hasPolicy = this.hasPolicy(resource, action);
    if (kind === "delete") {
      if (!this.agrees(asker, resource, action, stored)) return late(403);
      const isHeld = this.#isHeld(resource, id) || this.#losesFounder(asker, attempt);
      return late(isHeld ? 409 : 204);
    }
    const closed = this.closed(asker, resource, "write");
    const malformed = this.of(resource).fields.flatMap((field) => {
      const { name, required } = field;
      if (closed.includes(name)) return Object.hasOwn(values, name) ? [name] : [];
      if ((values[name] ?? null) !== null) return [];
      const isSet = field.default !== undefined && kind === "create";
      const isMissing = required && !isSet && (kind !== "update" || Object.hasOwn(values, name));
      return isMissing && !this.#isKept(name, { own, attempt }) ? [name] : [];
    });
    if (hasPolicy && malformed.length > 0) return { ...late(422), paths: malformed };
    const judged = kind === "create" ? this.#whole(asker, attempt) : stored;
    if (!this.agrees(asker, resource, action, judged)) return late(403);
    const conflicts = this.of(resource).fields.flatMap((field) => {
      const { name, resource: to, unique } = field;
      const value = values[name] ?? null;
      if (closed.includes(name)) return [];
      if (value === null) return own && this.#isUnowned(attempt, name) ? [name] : [];
      if (field.type === "file") return this.isFileOf(resource, name, value) ? [] : [name];
      if (unique === true) {
        const taken = this.rowsOf(resource).some((row) => row[name] === value && row.id !== id);
        return taken ? [name] : [];
      }
      if (to === undefined) {
        const [link] = wayOf(this.of(resource).owner);
        const isOthers = own && link === name && value !== asker.id;
        return isOthers ? [name] : [];
      }
      const words = own ? grants.flatMap(({ owners }) => owners ?? []) : null;
      const asked = { resource, name, to, words, stored: kind === "create" ? null : stored };
      return this.#mayLink(asker, asked, value) ? [] : [name];
    });
    const paths = [...malformed, ...conflicts, ...this.#together(asker, attempt, malformed)];
    if (paths.length > 0) return { ...late(422), paths };
    if (this.#losesFounder(asker, attempt)) return late(409);
    const done = late(kind === "create" ? 201 : 200);
    if (grants === "all" || !isJudged(kind, grants)) return done;
    const after = this.copy();
    const newId = kind === "create" ? "a new record" : null;
    after.apply(asker, attempt, newId);
    const written = after.rowsOf(resource).find((row) => row.id === (newId ?? id)) ?? {};
    const parts = { stored: kind === "create" ? null : stored, written, after };
    return this.#allows(asker, resource, grants, parts) ? done : late(403);
  }

  /** Whether a rule with conditions refuses a record that the caller may get. */
  #isOnlyGot(asker: Asker, { resource, kind, id }: Attempt): boolean {
    const rule = this.of(resource).access[kind === "replace" ? "update" : kind];
    const got = this.reached(asker, resource, "get").find((row) => row.id === id);
    return got !== undefined && hasConditions(rule) && this.agrees(asker, resource, "get", got);
  }

  /** Whether the write leaves the record without its owner. */
  #isUnowned({ resource, values }: Attempt, name: string): boolean {
    const [link] = wayOf(this.of(resource).owner);
    return link === name && Object.hasOwn(values, name);
  }

  #isKept(name: string, { own, attempt }: { own: boolean; attempt: Attempt }): boolean {
    const { kind, resource, values } = attempt;
    const { owner } = this.of(resource);
    const [link, ...way] = wayOf(owner);
    if (link !== name || Object.hasOwn(values, name)) return false;
    return kind === "create" ? way.length === 0 && typeof owner === "string" : own;
  }

  /** The fields of the lists in which another record has the same values; what is malformed cannot be compared. */
  #together(asker: Asker, attempt: Attempt, malformed: readonly string[]): readonly string[] {
    const { resource, id, values } = attempt;
    const { unique = [] } = this.of(resource);
    const whole = this.#whole(asker, attempt);
    return unique.flatMap((names) => {
      if (!names.some((name) => Object.hasOwn(values, name))) return [];
      if (names.some((name) => malformed.includes(name))) return [];
      const isTaken = this.rowsOf(resource).some(
        (row) => row.id !== id && names.every((name) => row[name] === (whole[name] ?? {})),
      );
      return isTaken ? names : [];
    });
  }

  /** Whether a group that stays would lose its last member with the founder's role. */
  #losesFounder(asker: Asker, attempt: Attempt): boolean {
    return this.#described.some(({ name: groups, owner }) => {
      if (owner === undefined || typeof owner === "string") return false;
      const { through, group, role = "", founder } = owner;
      if (through !== attempt.resource || founder === undefined) return false;
      const former = this.rowsOf(through).find(({ id }) => id === attempt.id);
      if (former === undefined || former[role] !== founder) return false;
      const after = this.copy();
      after.apply(asker, attempt, null);
      return (
        after.rowsOf(groups).some(({ id }) => id === former[group]) &&
        !after.rowsOf(through).some((row) => row[group] === former[group] && row[role] === founder)
      );
    });
  }

  #mayLink(
    asker: Asker,
    {
      resource,
      name,
      to,
      words,
      stored,
    }: {
      resource: string;
      name: string;
      to: string;
      /** Of callers who may write as owners alone. */
      words: readonly string[] | null;
      /** Null for a new record. */
      stored: Record | null;
    },
    value: Json,
  ): boolean {
    const exists = this.rowsOf(to).some(({ id }) => id === value);
    const [link] = wayOf(this.of(resource).owner);
    if (words !== null && link === name && !this.#owns(asker, resource, words, { [name]: value })) {
      return false;
    }
    if (to === "users") return exists && !asker.isVisitor;
    const scope = this.scope(asker, to, "get");
    if (scope === "none") return exists && !asker.isVisitor;
    if (scope === "all") return exists;
    // A condition may have come to hide a record since.
    if (hasConditions(this.of(to).access.get) && stored?.[name] === value) return exists;
    return this.reached(asker, to, "get").some(({ id }) => id === value);
  }

  /** Applies a write that nothing refuses. */
  apply(asker: Asker, { resource, kind, id, values }: Attempt, newId: string | null): void {
    const rows = this.#rows.get(resource) ?? [];
    if (kind === "delete") {
      this.#drop(resource, id);
      return;
    }
    const former = rows.find((row) => row.id === id) ?? {};
    const whole = this.#whole(asker, { resource, kind, id, values });
    const record = { ...former, ...whole, id: newId ?? id };
    this.#rows.set(resource, [...rows.filter((row) => row.id !== id), record]);
    if (kind === "create") this.#found(asker, resource, String(record.id));
  }

  /** Makes the creator of a group its first member. */
  #found(asker: Asker, resource: string, id: string): void {
    const { owner } = this.of(resource);
    if (typeof owner !== "object" || owner.founder === undefined || asker.isVisitor) return;
    const { through, group, account, role = "", founder } = owner;
    const first = { id: `${founding} ${id}`, [group]: id, [account]: asker.id, [role]: founder };
    this.#rows.set(through, [...this.rowsOf(through), first]);
  }

  /** The values of all fields after the write. */
  #whole(asker: Asker, { resource, kind, id, values }: Attempt): Record {
    const closed = this.closed(asker, resource, "write");
    const { owner, fields } = this.of(resource);
    const [link = "", ...way] = wayOf(owner);
    const isSet = typeof owner === "string" && way.length === 0;
    const former = this.rowsOf(resource).find((row) => row.id === id) ?? {};
    const entries = fields.map(({ name, default: value = null }): [string, Json] => {
      if (Object.hasOwn(values, name)) return [name, values[name] ?? null];
      const stays = kind === "update" || (kind === "replace" && closed.includes(name));
      if (stays || (kind === "replace" && link === name)) return [name, former[name] ?? null];
      if (kind === "replace") return [name, null];
      return [name, link === name && isSet && !asker.isVisitor ? asker.id : value];
    });
    return Object.fromEntries(entries);
  }

  /** Whether records that require it refuse its deletion. */
  #isHeld(resource: string, gone: Json | undefined): boolean {
    return this.#described.some(({ name, fields }) =>
      fields.some(({ name: link, resource: to, required, onDelete }) => {
        if (to !== resource || !required) return false;
        const held = this.rowsOf(name).filter((row) => row[link] === gone);
        if (onDelete !== "cascade") return held.length > 0;
        return held.some(({ id }) => this.#isHeld(name, id));
      }),
    );
  }

  #drop(resource: string, gone: Json | undefined): void {
    const rows = this.rowsOf(resource);
    this.#rows.set(
      resource,
      rows.filter(({ id }) => id !== gone),
    );
    for (const { name, fields } of this.#described) {
      for (const { name: link, resource: to, onDelete } of fields) {
        if (to !== resource) continue;
        const held = this.rowsOf(name).filter((row) => row[link] === gone);
        for (const { id } of held) {
          if (onDelete === "cascade") this.#drop(name, id);
          else this.#set(name, id, { [link]: null });
        }
      }
    }
  }

  #set(resource: string, id: Json | undefined, change: Record): void {
    const changed = this.rowsOf(resource).map((row) =>
      row.id === id ? { ...row, ...change } : row,
    );
    this.#rows.set(resource, changed);
  }
}

/** A value with its ids replaced. */
export function withIds<Value>(value: Value, ids: ReadonlyMap<string, string>): Value {
  const text = [...ids].reduce(
    (all, [former, id]) => all.replaceAll(JSON.stringify(former), JSON.stringify(id)),
    JSON.stringify(value),
  );
  return JSON.parse(text);
}

function compareKeys(one: readonly unknown[], other: readonly unknown[]): number {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** The links to the owner; of a group's own resource the id. */
function wayOf(owner: Ruled["owner"]): string[] {
  return (typeof owner === "object" ? owner.link : owner)?.split(".") ?? [];
}

/** Before the id of a group, where the model does not know that of its first membership. */
const founding = "founder of";

/** Whether it is the first membership of a group that the model has made. */
export function isFounding({ id }: Record): boolean {
  return String(id).startsWith(founding);
}
