import fc from "fast-check";

/** The descriptors of a random app: file name below `resources/` → its text. */
export type RandomApp = ReadonlyMap<string, string>;

/** An image profile of these apps that is not built in. */
export const longProfile = "aProfileWithAVeryLongName";

type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | { readonly [key: string]: Value };
type Options = Readonly<Record<string, Value>>;

/** Words that SQL, TypeScript, the runtime or the emitted files already use. */
const hostileWords = [
  ..."select from order user table group default check values null true end key json details".split(
    " ",
  ),
  ..."class function await this new typeof any arguments eval undefined constructor".split(" "),
  ..."record records date string text number list fields routes shape page total data file".split(
    " ",
  ),
];

const letters = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
const digits = fc.stringMatching(/^[a-c][0-9]{1,3}$/);
const word = fc.oneof(
  { weight: 1, arbitrary: digits },
  { weight: 1, arbitrary: fc.constantFrom(...hostileWords) },
  { weight: 3, arbitrary: fc.string({ unit: letters, minLength: 1, maxLength: 14 }) },
);
const words = fc.array(word, { minLength: 1, maxLength: 6 });

const resourceName = words.map((parts) => parts.join("-").slice(0, 100));
const fieldName = words.map((parts) => {
  const [first = "", ...rest] = parts;
  return (first + rest.map((part) => part[0]?.toUpperCase() + part.slice(1)).join("")).slice(0, 60);
});

/** Text that is hard to escape in any language, of lengths around a line's width. */
const text = fc
  .string({
    unit: fc.oneof(
      { weight: 12, arbitrary: letters },
      { weight: 3, arbitrary: fc.constant(" ") },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ..."\"'`\\$\n\t/*{}é商🎉ö̈가ｶ１–…\u2028",
          `$\{x}`,
          "*/",
          "\\u0041",
        ),
      },
    ),
    minLength: 1,
    maxLength: 110,
  })
  .map((value) => `x${value}`);

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1e21, 1e300, 1e-7, -1e-300, 0.1),
);
const integer = fc.maxSafeInteger();
const ordered = (values: fc.Arbitrary<number>) =>
  fc.tuple(values, values, values).map((three) => three.sort((a, b) => a - b));

const optional = (options: Readonly<Record<string, fc.Arbitrary<Value>>>) =>
  fc.record(options, { requiredKeys: [] }) as fc.Arbitrary<Options>;
const merged = (...parts: fc.Arbitrary<Options>[]) =>
  fc.tuple(...parts).map((all): Options => Object.assign({}, ...all));

const common = optional({ required: fc.boolean(), label: text, description: text });
const unique = optional({ unique: fc.boolean() });

/** The option `default`, and bounds around it. */
function bounded(values: fc.Arbitrary<number>): fc.Arbitrary<Options> {
  return fc
    .tuple(ordered(values), fc.subarray(["min", "default", "max"]))
    .map(([three, keys]) =>
      Object.fromEntries(
        ["min", "default", "max"]
          .map((key, at) => [key, three[at] ?? 0] as const)
          .filter(([key]) => keys.includes(key)),
      ),
    );
}

function field(targets: readonly string[]): fc.Arbitrary<Options> {
  const of = (type: string, ...parts: fc.Arbitrary<Options>[]) =>
    merged(fc.constant({ type }), common, ...parts);
  const values = fc.uniqueArray(text, { minLength: 1, maxLength: 8 });
  const day = fc.date({
    min: new Date("0001-01-01"),
    max: new Date("9999-12-30"),
    noInvalidDate: true,
  });
  return fc.oneof(
    of(
      "string",
      unique,
      optional({ default: text, maxLength: fc.integer({ min: 200, max: 9999 }) }),
    ),
    of("string", optional({ pattern: text.map((value) => value.replace(/[^a-z ]/g, ".")) })),
    of("text", optional({ default: text, maxLength: fc.integer({ min: 200, max: 9999 }) })),
    of("number", unique, bounded(number)),
    of("number", unique, fc.constant({ integer: true }), bounded(integer)),
    of("number", unique, fc.constant({ decimals: 2 }), bounded(fc.integer())),
    of("boolean", optional({ default: fc.boolean() })),
    of(
      "enum",
      unique,
      values.map((all) => ({ values: all })),
    ),
    of(
      "enum",
      values.map((all) => ({ values: all, default: all[0] ?? "" })),
    ),
    of("date", unique, optional({ default: day.map((one) => one.toISOString().slice(0, 10)) })),
    of("timestamp", unique, optional({ default: day.map((one) => one.toISOString()) })),
    of(
      "belongsTo",
      unique,
      fc.constantFrom("users", ...targets).map((resource) => ({ resource })),
    ),
    of(
      "belongsTo",
      fc.constantFrom("users", ...targets).map((resource) => ({ resource, required: true })),
      fc.constantFrom({ onDelete: "refuse" }, { onDelete: "cascade" }),
    ),
    of("image", optional({ profile: fc.constantFrom("avatar", longProfile) })),
    of("file", optional({ accept: fc.constant(["application/pdf", "image/*"]) })),
  );
}

const rule = fc.oneof(
  fc.constantFrom("signed-in", "nobody"),
  fc.uniqueArray(
    text.map((role) => role.replace(/\s+/g, " ").trim()),
    { minLength: 1, maxLength: 4 },
  ),
);
const access = optional({ read: rule, write: rule, list: rule, delete: rule });

/** One to four resources; some of them clash, and must be refused. */
export const randomApp: fc.Arbitrary<RandomApp> = fc
  .uniqueArray(resourceName, { minLength: 1, maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((name) => descriptor(name, names))))
  .map((files) => new Map(files));

function descriptor(name: string, targets: readonly string[]) {
  const fields = fc
    .dictionary(fieldName, field(targets), { maxKeys: 9 })
    .chain((all) => fc.tuple(fc.constant(all), lists(all)));
  const singular = word.map((one) => `${one} thing`);
  return fc
    .tuple(fields, optional({ label: text, singular }), fc.option(access, { nil: {} }))
    .map(([[all, keys], labels, rules]): [string, string] => [
      `${name}.json`,
      JSON.stringify({ ...labels, access: rules, fields: all, ...keys }),
    ]);
}

/** The keys `unique` and `indexes`, if the fields allow them. */
function lists(fields: Readonly<Record<string, Options>>): fc.Arbitrary<Options> {
  const able = Object.keys(fields).filter(
    (name) => !["text", "image", "file"].includes(String(fields[name]?.type)),
  );
  const short = able.filter((name) => fields[name]?.maxLength === undefined);
  const unique = fc.subarray(able, {
    minLength: Math.min(2, able.length),
    maxLength: Math.min(4, able.length),
  });
  const index = fc
    .shuffledSubarray([...short, "createdAt", "updatedAt"], { minLength: 1, maxLength: 2 })
    .chain((names) => fc.tuple(...names.map((one) => fc.constantFrom(one, `-${one}`))));
  const several = (list: fc.Arbitrary<readonly string[]>) =>
    fc.uniqueArray(list, { minLength: 1, maxLength: 3, selector: String });
  return optional({
    ...(able.length < 2 ? {} : { unique: several(unique) }),
    indexes: several(index),
  });
}
