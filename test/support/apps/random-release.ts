import fc from "fast-check";

/** An app as its author sees it, before and after a release. A renamed thing keeps its id. */
export interface Release {
  readonly before: RandomApp;
  readonly after: RandomApp;
}

export type RandomApp = readonly RandomResource[];

export interface RandomResource {
  readonly id: number;
  readonly name: string;
  readonly fields: readonly RandomField[];
  /** Ids of fields; those that cannot be in one are left out when it is written. */
  readonly unique: readonly number[];
  readonly index: readonly number[];
}

export interface RandomField {
  readonly id: number;
  readonly name: string;
  /** `type` and its options; `resource` of a link is an id, or -1 for accounts. */
  readonly options: Options;
  /** Former values of an enum, and the names that they have now. */
  readonly renamed?: Readonly<Record<string, string>>;
}

export type Options = Readonly<Record<string, unknown>>;

const required = fc.boolean();
const unique = fc.constantFrom(false, false, true);

const values = fc.subarray(["red", "green", "blue", "true", "7"], { minLength: 1 });

/** Every kind, with the options that its column depends on; links refer to accounts or to an earlier resource. */
function optionsOf(resource: number): fc.Arbitrary<Options> {
  const targets = Array.from({ length: resource + 1 }, (_, at) => at - 1);
  const text = { required, default: fc.constantFrom(undefined, "red", "7", "true") };
  const of = (type: string, shape: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
    fc.record(shape).map((options): Options => ({ type, ...options }));
  const number = { required, unique, default: fc.constantFrom(undefined, 0, 7) };
  return fc.oneof(
    of("string", { ...text, unique, maxLength: fc.constantFrom(undefined, 4, 40, 900) }),
    of("text", { ...text, maxLength: fc.constantFrom(undefined, 4, 400) }),
    of("number", { ...number, min: fc.constantFrom(undefined, -5, 0) }),
    of("number", { ...number, integer: fc.constant(true), max: fc.constantFrom(undefined, 9) }),
    of("number", { ...number, decimals: fc.constantFrom(0, 1, 2) }),
    of("boolean", { required, default: fc.constantFrom(undefined, true, false) }),
    values.map((all): Options => ({ type: "enum", values: all })),
    fc.tuple(values, required, unique).map(([all, isRequired, isUnique]): Options => {
      const [first] = all;
      return { type: "enum", values: all, default: first, required: isRequired, unique: isUnique };
    }),
    of("date", { required, unique, default: fc.constantFrom(undefined, "2024-02-29") }),
    of("timestamp", { required, unique }),
    of("belongsTo", { required, unique, resource: fc.constantFrom(...targets) }),
    of("belongsTo", {
      required: fc.constant(true),
      unique,
      resource: fc.constantFrom(...targets),
      onDelete: fc.constantFrom("refuse", "cascade"),
    }),
    of("image", {}),
    of("file", {}),
  );
}

const words = ["order", "user", "price", "noteText", "a1B2", "select", "isLate", "value", "x"];
const longWord = "aFieldWhoseNameIsFarLongerThanTheSixtyThreeBytesOfPostgres".slice(0, 60);
const names = ["items", "order", "goods", "people", "big-things"];
const longName = "records-with-a-name-that-goes-on-and-on-until-postgres-cuts-it-off";

const appBefore = fc
  .tuple(fc.shuffledSubarray([...names, longName], { minLength: 1, maxLength: 3 }), fc.nat())
  .chain(([chosen, seed]) => fc.tuple(...chosen.map((name, id) => resourceNamed(name, id, seed))));

function resourceNamed(name: string, id: number, seed: number): fc.Arbitrary<RandomResource> {
  return fc
    .shuffledSubarray([...words, longWord], { maxLength: 6 })
    .chain((chosen) => fc.tuple(...chosen.map((field, at) => fieldNamed(field, seed + at, id))))
    .chain((fields) =>
      fc.record({
        id: fc.constant(id),
        name: fc.constant(name),
        fields: fc.constant(fields.map((field, at) => ({ ...field, id: at }))),
        ...lists,
      }),
    );
}

const lists = {
  unique: fc.shuffledSubarray([0, 1, 2, 3], { maxLength: 2 }),
  index: fc.shuffledSubarray([0, 1, 2, 3, 100], { maxLength: 3 }),
};

function fieldNamed(name: string, id: number, resource: number): fc.Arbitrary<RandomField> {
  return optionsOf(resource).map((options) => ({ id, name, options }));
}

/** Changes of a release to each thing. */
const fate = fc.constantFrom("keep", "keep", "keep", "rename", "drop");
const optionFate = fc.constantFrom("keep", "keep", "change", "tweak", "rename values");

/** A random app and its next release. */
export const randomRelease: fc.Arbitrary<Release> = appBefore.chain((before) =>
  fc
    .tuple(
      fc.tuple(...before.map(changedResource)),
      fc.option(resourceNamed("extras", before.length, 50), { freq: 2 }),
    )
    .map(([changed, extra]) => {
      const kept = changed.flatMap((resource) => resource ?? []);
      const after = extra === null ? kept : [...kept, extra];
      return { before, after: corrected(after) };
    }),
);

function changedResource(resource: RandomResource): fc.Arbitrary<RandomResource | null> {
  const fields = fc.tuple(...resource.fields.map((field) => changedField(field, resource.id)));
  const added = fc
    .subarray(["fresh", "later"])
    .chain((chosen) =>
      fc.tuple(...chosen.map((name, at) => fieldNamed(name, 100 + at, resource.id))),
    );
  return fc.tuple(fate, fields, added, fc.record(lists)).map(([what, changed, more, other]) => {
    if (what === "drop") return null;
    const kept = { ...resource, ...(what === "keep" ? {} : other) };
    const name = what === "rename" ? `${resource.name}-now` : resource.name;
    return { ...kept, name, fields: [...changed.flatMap((field) => field ?? []), ...more] };
  });
}

function changedField(field: RandomField, resource: number): fc.Arbitrary<RandomField | null> {
  return fc
    .tuple(fate, optionFate, optionsOf(resource), required)
    .map(([what, how, other, isRequired]) => {
      if (what === "drop") return null;
      const name = what === "rename" ? `${field.name.slice(0, 55)}Now` : field.name;
      const { onDelete } = field.options;
      const tweaked = {
        ...field.options,
        required: isRequired,
        onDelete: isRequired ? onDelete : undefined,
      };
      if (how === "rename values") return { ...withRenamedValues(field), name };
      const options = how === "keep" ? field.options : how === "tweak" ? tweaked : other;
      return { ...field, name, options };
    });
}

/** Renames every second value of an enum; any other field stays. */
function withRenamedValues(field: RandomField): RandomField {
  const { values: all, default: usual } = field.options;
  if (!Array.isArray(all)) return field;
  const renamed = Object.fromEntries(
    all.filter((_, at) => at % 2 === 0).map((one) => [one, `${one} it's`]),
  );
  const now = (one: string) => renamed[one] ?? one;
  const options = {
    ...field.options,
    values: all.map(now),
    ...(typeof usual === "string" && { default: now(usual) }),
  };
  return { ...field, options, renamed };
}

/** Links to removed resources refer to accounts instead. */
function corrected(app: RandomApp): RandomApp {
  const ids = new Set([-1, ...app.map(({ id }) => id)]);
  return app.map((resource) => ({
    ...resource,
    fields: resource.fields.map((field) => {
      const { resource: target } = field.options;
      return typeof target !== "number" || ids.has(target)
        ? field
        : { ...field, options: { ...field.options, resource: -1 } };
    }),
  }));
}

/** File name below `resources/` → descriptor; with `was` if it was renamed. */
export function descriptorsOf(app: RandomApp, former: RandomApp): ReadonlyMap<string, string> {
  return new Map(
    app.map((resource) => {
      const earlier = former.find(({ id }) => id === resource.id);
      const was =
        earlier === undefined || earlier.name === resource.name ? {} : { was: earlier.name };
      const fields = resource.fields.map((field) => {
        const one = earlier?.fields.find(({ id }) => id === field.id);
        const was = one === undefined || one.name === field.name ? {} : { was: one.name };
        const { renamed } = field;
        const values = one === undefined || renamed === undefined ? {} : { renamed };
        return [field.name, { ...written(field.options, app), ...was, ...values }];
      });
      const lists = { ...uniqueOf(resource), ...indexesOf(resource) };
      return [
        `${resource.name}.json`,
        JSON.stringify({ ...was, ...lists, fields: Object.fromEntries(fields) }),
      ];
    }),
  );
}

function uniqueOf(resource: RandomResource) {
  const names = listed(resource, resource.unique);
  return names.length < 2 ? {} : { unique: [names] };
}

/** Every other key is descending. */
function indexesOf(resource: RandomResource) {
  const names = listed(resource, resource.index);
  const keys = names.map((name, at) => (at % 2 === 0 ? name : `-${name}`));
  return keys.length === 0 ? {} : { indexes: [keys] };
}

function listed({ fields }: RandomResource, ids: readonly number[]): readonly string[] {
  return ids.flatMap((id) =>
    fields.filter((field) => field.id === id && isKey(field.options)).map(({ name }) => name),
  );
}

function isKey({ type, maxLength }: Options): boolean {
  if (type === "string") return typeof maxLength === "number" && maxLength < 100;
  return !["text", "image", "file"].includes(String(type));
}

/** A default that the field's own options forbid is left out. */
function written(options: Options, app: RandomApp): Options {
  const { resource, default: usual, ...rest } = options;
  const named = typeof resource === "number" ? { resource: nameOf(resource, app) } : {};
  return usual === undefined || !isTaken(usual, options)
    ? { ...rest, ...named }
    : { ...rest, ...named, default: usual };
}

function nameOf(resource: number, app: RandomApp): string {
  return app.find(({ id }) => id === resource)?.name ?? "users";
}

function isTaken(usual: unknown, { maxLength, max, min }: Options): boolean {
  if (typeof usual === "string" && typeof maxLength === "number") return usual.length <= maxLength;
  if (typeof usual !== "number") return true;
  return !(typeof max === "number" && usual > max) && !(typeof min === "number" && usual < min);
}
