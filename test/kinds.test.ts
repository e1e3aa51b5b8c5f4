import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { kinds } from "../generator/kind/kinds.js";
import { type ColumnKind, kindOf } from "../runtime/resource/table/kinds/kinds.js";
import { usualId } from "../runtime/values/schema/id-types.js";

const root = join(import.meta.dirname, "..");

/** Where a kind has a file of its own, and where all of them are listed. */
const rooms = [
  "generator/kind/",
  "runtime/resource/table/kinds/",
  "runtime/dashboard/web/kinds/",
] as const;

/** Names of kinds that JavaScript, SQL, JSON Schema and HTML have too. */
const homonyms = ["string", "text", "number", "boolean", "date", "file", "json", "links"];
const columnsOnly = ["integer", "decimal", "double"];
const own = kinds.map(({ name }) => name).filter((name) => !homonyms.includes(name));
const ambiguous = [...homonyms, ...columnsOnly].join("|");

/** How code tells kinds apart by name. */
const mentions = [
  new RegExp(`"(?:${own.join("|")})"`),
  new RegExp(`\\bkind(?:\\??\\.name)? [!=]== "(?:${ambiguous})"`),
  new RegExp(`\\b(?:case|kind:) "(?:${ambiguous})"`),
  // A table by kinds has their names as keys.
  /^\s*(?:belongsTo|timestamp): [^"]/m,
];
/** In the dashboard, where a field's kind is its `type`. */
const mentionsInWeb = [mentions[0], new RegExp(`\\btype [!=]== "(?:${ambiguous})"`)];

/** What may name a kind outside these rooms, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "runtime/command/app/file-fields.ts": "which fields take a file",
  "runtime/command/app/tables.ts": "the columns that every table has",
  "bin/commands/add/resource/field-argument.ts":
    "what a command line may say of a field by its kind",
  "generator/adopt/model/column/types.ts": "what the types of a database become",
  "generator/describe/accounts/person.ts": "image is a key of an account's public part",
  "generator/expression/compile.ts": "the types that expressions compute with",
  "generator/expression/parse.ts": "numbers and texts in expressions",
  "generator/expression/tokens.ts": "numbers and texts in expressions",
  "generator/expression/tree.ts": "numbers and texts in expressions",
  "generator/migration/time-zones.ts": "types of PostgreSQL",
  "generator/model/runtime-symbols.ts": "names of the validators that emitted code imports",
  "generator/resolve/conditions/operand.ts": "what a condition compares fields of a kind with",
  "generator/resolve/conditions/place.ts": "the columns that every record and account has",
  "runtime/app/routes/avatar-route.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/data/import/row-reader.ts": "how the values of a column without a field are read",
  "runtime/auth/operator/import.ts": "how the cells of accounts are read",
  "runtime/data/read/value.ts": "how a cell of CSV is read: the kind of a field is only known here",
  "runtime/resource/transfer/select.ts": "booleans as the API writes them, and not as copy does",
  "runtime/resource/rights/trashed.ts": "the id, which is a column of the trash itself",
  "runtime/resource/rights/accounts.ts": "columns of accounts, for which nothing is emitted",
  "runtime/uploads/open.ts": "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/objects/fields.ts": "what an upload takes: a picture is decoded, a file stored",
  "runtime/uploads/objects/private-files.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/receive/arrival.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/receive/into-field.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/receive/app-file.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/receive/receive.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/resumable/add-bytes.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/resumable/begin.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/resumable/finish.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/resumable/handlers.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/resumable/judge.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/uploads/resumable/promised.ts":
    "what an upload takes: see runtime/uploads/objects/fields.ts",
  "runtime/values/operators.ts": "text is a way of comparing",
  "runtime/values/schema/field-kinds.ts": "every name, which records of migrations may have",
  "runtime/dashboard/web/api/records/fields.ts":
    "what requests know of kinds, which lie above them",
  "runtime/dashboard/web/rules/words.ts": "moments and links, which conditions say in words",
  "runtime/dashboard/web/parts/form/field.tsx": "a type of HTML's input",
  "runtime/dashboard/web/screens/import/notation/behind.tsx":
    "kinds whose values files write into several columns",
  "runtime/dashboard/web/screens/import/notation/values.tsx":
    "booleans, whose words a file may name as it does the values of an enum",
  "runtime/dashboard/web/text/number-marks.ts": "a part of a number that Intl has written",
};

const files = ["bin", "generator", "runtime", "templates"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:tsx?|hbs)$/.test(name) && !name.startsWith("dist/"))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !rooms.some((room) => path.startsWith(room))),
);

test("only the modules of the kinds compare kinds, except for a stated reason", () => {
  const named = files.filter((path) => {
    // `typeof` tells apart what JavaScript knows.
    const text = readFileSync(join(root, path), "utf8").replaceAll(/typeof \w+ [!=]== "\w+"/g, "");
    const patterns = path.startsWith("runtime/dashboard/web/") ? mentionsInWeb : mentions;
    return patterns.some((pattern) => pattern?.test(text));
  });
  expect(named.toSorted()).toEqual(Object.keys(exceptions).toSorted());
});

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  "the generator and the runtime agree about %s",
  (name, kind) => {
    const { type: _, ...options } = parse(kind.example);
    const common = { name: "field", column: "field", label: null, description: null, help: null };
    const access = { read: "signed-in", write: "signed-in" } as const;
    const field = kind.field(
      {
        ...common,
        placeholder: null,
        was: null,
        required: false,
        access,
        list: null,
        readOnly: false,
        columnDefault: false,
        computed: null,
      },
      options,
      (resource) => ({ resource, schema: "public", table: resource, id: usualId }),
    );
    const { kind: column = name, values = [] } = kind.runtimeColumn(field);
    const stored = kindOf({ kind: column as ColumnKind });
    expect(stored).toMatchObject({
      comparisons: kind.condition?.comparisons ?? null,
      canBeCut: kind.canBeCut,
      isLong: kind.isLong,
      isSearched: kind.isSearched,
      highlight: kind.highlight,
      isFile: kind.isFile,
    });
    expect(stored.aggregations(kind.runtimeColumn(field))).toEqual(kind.aggregations(field));
    expect(stored.counted({ values: values as readonly string[] })).toEqual(kind.counted(field));
  },
);
