/** A slow model of the trash, on plain values: what four linked resources and their trash hold after each write. */

export const resources = ["boxes", "folders", "labels", "papers"] as const;
export type Resource = (typeof resources)[number];

export type Values = Readonly<Record<string, string | null>>;

/** A record's resource and id: `boxes/<id>`. */
export type Key = `${Resource}/${string}`;

export const keyOf = (resource: Resource, id: string): Key => `${resource}/${id}`;
export const idOf = (key: Key): string => key.slice(key.indexOf("/") + 1);
export const resourceOf = (key: Key): Resource => key.slice(0, key.indexOf("/")) as Resource;

interface Link {
  readonly from: Resource;
  readonly field: string;
  readonly to: Resource;
  readonly isRequired: boolean;
  readonly onDelete: "cascade" | "clear" | "refuse";
}

/** In the order of their columns. */
const links: readonly Link[] = [
  { from: "folders", field: "boxId", to: "boxes", isRequired: true, onDelete: "cascade" },
  { from: "folders", field: "parentId", to: "folders", isRequired: false, onDelete: "clear" },
  { from: "labels", field: "paperId", to: "papers", isRequired: false, onDelete: "clear" },
  { from: "papers", field: "boxId", to: "boxes", isRequired: true, onDelete: "cascade" },
  { from: "papers", field: "folderId", to: "folders", isRequired: true, onDelete: "cascade" },
  { from: "papers", field: "labelId", to: "labels", isRequired: true, onDelete: "refuse" },
  { from: "papers", field: "nextId", to: "papers", isRequired: false, onDelete: "clear" },
];

const unique: Readonly<Record<Resource, readonly string[]>> = {
  boxes: ["name"],
  folders: [],
  labels: ["name", "paperId"],
  papers: ["title"],
};

export const descriptors = new Map([
  ["boxes.yaml", "trash: 7\nchanges: true\nfields: { name: { type: string, unique: true } }\n"],
  [
    "folders.yaml",
    `trash: true
changes: true
fields:
  boxId: { type: belongsTo, resource: boxes, required: true, onDelete: cascade }
  parentId: { type: belongsTo, resource: folders }
`,
  ],
  [
    "labels.yaml",
    `trash: true
changes: true
fields:
  name: { type: string, unique: true }
  paperId: { type: belongsTo, resource: papers, unique: true }
`,
  ],
  [
    "papers.yaml",
    `trash: true
changes: true
fields:
  boxId: { type: belongsTo, resource: boxes, required: true, onDelete: cascade }
  folderId: { type: belongsTo, resource: folders, required: true, onDelete: cascade }
  labelId: { type: belongsTo, resource: labels, required: true }
  nextId: { type: belongsTo, resource: papers }
  title: { type: string, unique: true }
  state: { type: enum, values: [draft, live] }
`,
  ],
]);

/** Fields of each resource, in the order of the descriptors. */
export const fields: Readonly<Record<Resource, readonly string[]>> = {
  boxes: ["name"],
  folders: ["boxId", "parentId"],
  labels: ["name", "paperId"],
  papers: ["boxId", "folderId", "labelId", "nextId", "title", "state"],
};

export const targetOf = (resource: Resource, field: string): Resource | null =>
  links.find((link) => link.from === resource && link.field === field)?.to ?? null;

/** A link of another record that a deletion has cleared. */
export interface Cleared {
  readonly key: Key;
  readonly field: string;
}

export interface Trashed {
  readonly values: Values;
  readonly mark: number;
  readonly isRoot: boolean;
  /** The account that deleted it. */
  readonly by: string | null;
  readonly cleared: readonly Cleared[];
}

export interface State {
  readonly living: Map<Key, Values>;
  readonly trash: Map<Key, Trashed>;
  /** The number of marks so far. */
  marks: number;
}

export const emptyState = (): State => ({ living: new Map(), trash: new Map(), marks: 0 });

export const copyOf = ({ living, trash, marks }: State): State => ({
  living: new Map(living),
  trash: new Map(trash),
  marks,
});

export type Operation =
  | { readonly kind: "create"; readonly resource: Resource; readonly values: Values }
  /** By SQL, with the id of a deleted record. */
  | { readonly kind: "insert"; readonly key: Key; readonly values: Values }
  | { readonly kind: "update"; readonly key: Key; readonly values: Values }
  /** Of one record; or by SQL of several of one resource, in one statement. */
  | { readonly kind: "delete"; readonly keys: readonly Key[] }
  | { readonly kind: "restore"; readonly key: Key }
  | { readonly kind: "purge"; readonly key: Key };

/** What an operation may answer: a status, of which a refused restore has two if two records refuse it. */
export interface Outcome {
  readonly statuses: readonly number[];
  /** For a refused restore, the records that may be the reason, each with its field. */
  readonly reasons?: ReadonlySet<string>;
}

const done: Outcome = { statuses: [200, 201, 204] };
const refused = (...statuses: readonly number[]): Outcome => ({ statuses });

export const isDone = (outcome: Outcome): boolean => outcome === done;

/**
 * Applies an operation, or leaves the state as it is if it is refused. `id` is that of a new record, `by` the writing
 * account; `since` is the first mark of the transaction.
 */
export function apply(
  state: State,
  operation: Operation,
  { id, by, since }: { readonly id: string; readonly by: string | null; readonly since: number },
): Outcome {
  switch (operation.kind) {
    case "create":
      return store(state, keyOf(operation.resource, id), operation.values);
    case "insert":
      if (state.living.has(operation.key)) return refused(422);
      return store(state, operation.key, operation.values);
    case "update": {
      const stored = state.living.get(operation.key);
      if (stored === undefined) return refused(404);
      return store(state, operation.key, { ...stored, ...operation.values });
    }
    case "delete":
      return remove(state, operation.keys, { by, since, isKept: true });
    case "restore":
      return restore(state, operation.key);
    case "purge": {
      if (state.living.has(operation.key)) {
        return remove(state, [operation.key], { by, since, isKept: false });
      }
      if (!state.trash.has(operation.key)) return refused(404);
      empty(state, [operation.key]);
      return done;
    }
  }
}

const linksFrom = (resource: Resource) => links.filter(({ from }) => from === resource);

/** The fields of the values that cannot be stored. */
function mistakes({ living }: State, key: Key, values: Values) {
  const resource = resourceOf(key);
  const taken = unique[resource].filter((field) => {
    const value = values[field] ?? null;
    return (
      value !== null &&
      [...living].some(
        ([other, { [field]: its }]) =>
          other !== key && resourceOf(other) === resource && its === value,
      )
    );
  });
  const missing = linksFrom(resource).filter(({ field, to, isRequired }) => {
    const value = values[field] ?? null;
    if (value === null) return isRequired;
    return !living.has(keyOf(to, value)) && keyOf(to, value) !== key;
  });
  return { taken, missing };
}

function store(state: State, key: Key, values: Values): Outcome {
  const { taken, missing } = mistakes(state, key, values);
  // 409 if another request has just taken the value.
  if (taken.length > 0 || missing.length > 0) return refused(409, 422);
  state.living.set(key, values);
  return done;
}

interface Removal {
  readonly by: string | null;
  readonly since: number;
  readonly isKept: boolean;
}

function remove(state: State, named: readonly Key[], removal: Removal): Outcome {
  const keys = named.filter((key) => state.living.has(key));
  if (keys.length === 0) return refused(404);
  const draft = copyOf(state);
  removeRows(draft, keys, { ...removal, before: state });
  // Links that refuse a deletion are checked at the end of the statement.
  const leftOver = [...draft.living].some(([key, values]) =>
    linksFrom(resourceOf(key)).some(({ field, to }) => {
      const value = values[field] ?? null;
      return value !== null && !draft.living.has(keyOf(to, value));
    }),
  );
  if (leftOver) return refused(409);
  replace(state, draft);
  return done;
}

/** Removes the rows of a statement, then those of each cascade. */
function removeRows(
  state: State,
  keys: readonly Key[],
  removal: Removal & { readonly before: State },
): void {
  const { by, since, isKept, before } = removal;
  const rows = keys.map((key) => [key, state.living.get(key) as Values] as const);
  for (const key of keys) state.living.delete(key);
  if (!isKept) empty(state, keys);
  const kept: [Key, Trashed][] = [];
  for (const [key, values] of isKept ? rows : []) {
    const parent = linksFrom(resourceOf(key))
      .filter(({ onDelete }) => onDelete === "cascade")
      .map(({ field, to }) => state.trash.get(keyOf(to, values[field] ?? "")))
      .find((one) => one !== undefined && one.mark >= since);
    kept.push([
      key,
      {
        values: before.living.get(key) ?? values,
        mark: parent?.mark ?? state.marks++,
        isRoot: parent === undefined,
        by,
        cleared: linking(state, key, "clear"),
      },
    ]);
  }
  for (const [key, trashed] of kept) state.trash.set(key, trashed);
  for (const key of keys) {
    for (const { key: other, field } of linking(state, key, "clear")) {
      state.living.set(other, { ...state.living.get(other), [field]: null });
    }
    const cascaded = linking(state, key, "cascade");
    for (const resource of resources) {
      const own = cascaded.map(({ key }) => key).filter((key) => resourceOf(key) === resource);
      const living = [...new Set(own)].filter((key) => state.living.has(key));
      if (living.length > 0) removeRows(state, living, removal);
    }
  }
}

/** The living links to a record. */
function linking(state: State, target: Key, onDelete: Link["onDelete"]): readonly Cleared[] {
  const to = links.filter((link) => link.to === resourceOf(target) && link.onDelete === onDelete);
  return [...state.living].flatMap(([key, values]) =>
    to
      .filter(({ from, field }) => from === resourceOf(key) && values[field] === idOf(target))
      .map(({ field }) => ({ key, field })),
  );
}

/** Deletes from the trash what is named, and what belongs to it by cascade, whether it is there itself or not. */
function empty(state: State, keys: readonly Key[]): void {
  const waiting = [...keys];
  const seen = new Set<Key>();
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    for (const [other, { values }] of state.trash) {
      const belongs = linksFrom(resourceOf(other)).some(
        ({ field, to, onDelete }) =>
          onDelete === "cascade" && values[field] && keyOf(to, values[field]) === key,
      );
      if (belongs) waiting.push(other);
    }
  }
  for (const key of seen) state.trash.delete(key);
}

function restore(state: State, key: Key): Outcome {
  const own = state.trash.get(key);
  if (own === undefined) return refused(404);
  const marked = [...state.trash].filter(([, { mark }]) => mark === own.mark);
  const root = marked.find(([, { isRoot }]) => isRoot)?.[0] ?? null;
  if (root !== null && root !== key) return { statuses: [409], reasons: new Set([root]) };
  const draft = copyOf(state);
  for (const [one, { values }] of marked) {
    if (!draft.living.has(one)) draft.living.set(one, values);
  }
  const taken = new Set<string>();
  const missing = new Set<string>();
  for (const [one, { values }] of marked) {
    if (state.living.has(one)) taken.add(`${one} id`);
    const found = mistakes(draft, one, values);
    for (const field of found.taken) taken.add(`${one} ${field}`);
    const filled = { ...values };
    for (const { field, isRequired } of found.missing) {
      if (isRequired) missing.add(`${one} ${field}`);
      else filled[field] = null;
    }
    draft.living.set(one, filled);
  }
  if (taken.size + missing.size > 0) {
    const statuses = [...(taken.size > 0 ? [409] : []), ...(missing.size > 0 ? [422] : [])];
    return { statuses, reasons: new Set([...taken, ...missing]) };
  }
  for (const [one] of marked) draft.trash.delete(one);
  for (const [one, { cleared }] of marked) {
    for (const { key: other, field } of cleared) setAgain(draft, { other, field, id: idOf(one) });
  }
  replace(state, draft);
  return done;
}

/** Sets a cleared link again if it is still empty, and no other record has taken it. */
function setAgain(
  state: State,
  { other, field, id }: { readonly other: Key; readonly field: string; readonly id: string },
): void {
  const values = state.living.get(other);
  if (values?.[field] === null) {
    const linked = { ...values, [field]: id };
    if (mistakes(state, other, linked).taken.length === 0) state.living.set(other, linked);
  }
  const trashed = state.trash.get(other);
  if (trashed?.values[field] === null) {
    state.trash.set(other, { ...trashed, values: { ...trashed.values, [field]: id } });
  }
}

function replace(state: State, { living, trash, marks }: State): void {
  state.living.clear();
  state.trash.clear();
  for (const [key, values] of living) state.living.set(key, values);
  for (const [key, trashed] of trash) state.trash.set(key, trashed);
  state.marks = marks;
}
