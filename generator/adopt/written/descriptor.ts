import { Document, isMap, isScalar, type Pair, visit } from "yaml";
import { usualTimes } from "../../../runtime/values/schema/record-times.js";
import { spelledTable } from "../../../runtime/values/sql/table-name.js";
import { usualColumn, usualTable } from "../../model/names.js";
import type { FoundColumn } from "../catalogue/catalogue.js";
import type { AdoptedField, AdoptedTable, ReportLine, TableUpdate } from "../model/adoption.js";
import { isLocalTime } from "../model/column/types.js";
import { idTypeOf } from "../model/table/key.js";
import { isView } from "../model/table/view.js";
import { inComment, sentenceOf } from "./comment.js";

const schema = "../node_modules/service-cli/templates/schemas/resource.schema.json";

/** The descriptor of an adopted table, with comments on what was left out or changed. */
export function descriptorText(adopted: AdoptedTable): string {
  const { fields, lists, uniques, report } = adopted;
  const entries = {
    ...tableEntry(adopted),
    ...(!adopted.isCounted && { triggers: "none" }),
    ...idEntry(adopted),
    ...timeEntries(adopted),
    access: accessOf(adopted),
    fields: Object.fromEntries([
      ...fields.map((field) => [field.name, fieldEntry(field)] as const),
      ...lists.map(({ name, options }) => [name, options] as const),
    ]),
    ...(uniques.length > 0 && { unique: uniques }),
  };
  const document = newDocument(entries);
  document.commentBefore = [
    ` yaml-language-server: $schema=${schema}`,
    ...report.filter((line) => fieldOf(line, fields) === null).map(commentOf),
  ].join("\n");
  for (const pair of pairsOf(document.contents)) {
    if (isMap(pair.value) && keyOf(pair) !== "fields") pair.value.flow = true;
  }
  const map = document.get("fields");
  if (fields.length + lists.length === 0 && isMap(map)) map.flow = true;
  for (const pair of pairsOf(map)) writeField(pair, adopted);
  return document.toString({ lineWidth: 0 });
}

function pairsOf(node: unknown): readonly Pair[] {
  return isMap(node) ? node.items : [];
}

/** Creates a document that writes lists as `[admin]` and maps as `{ read: [admin] }`. */
function newDocument(entries: object): Document {
  // Two columns of the same enum type share their values.
  const document = new Document(entries, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, list) {
      list.flow = true;
      const write: typeof list.toString = list.toString.bind(list);
      list.toString = (context, ...rest) =>
        write(context && { ...context, flowCollectionPadding: "" }, ...rest);
    },
  });
  return document;
}

/** Returns the lines of the fields, with comments above them. */
export function fieldLines({ fields, lists, report }: TableUpdate): readonly string[] {
  const entries = [
    ...fields.map((field) => [field.name, fieldEntry(field)] as const),
    ...lists.map(({ name, options }) => [name, options] as const),
  ];
  const document = newDocument(Object.fromEntries(entries));
  for (const pair of pairsOf(document.contents)) writeField(pair, { fields, report });
  return document.toString({ lineWidth: 0 }).trimEnd().split("\n");
}

function writeField(pair: Pair, { fields, report }: Pick<AdoptedTable, "fields" | "report">): void {
  if (isMap(pair.value)) pair.value.flow = true;
  const own = report.filter((line) => fieldOf(line, fields)?.name === keyOf(pair));
  if (own.length > 0 && isScalar(pair.key)) pair.key.commentBefore = own.map(commentOf).join("\n");
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}

/** The field that a line is about; null for a line about the table or a column without a field. */
function fieldOf({ column }: ReportLine, fields: readonly AdoptedField[]): AdoptedField | null {
  return fields.find((field) => field.column.name === column) ?? null;
}

/** Formats a report line as a comment: ` column: why; way`. */
function commentOf(line: ReportLine): string {
  const about = line.column === null ? "" : `${line.column}: `;
  return inComment(` ${about}${sentenceOf(line)}`);
}

function tableEntry({ table, resource }: AdoptedTable) {
  const spelled = spelledTable(table);
  return usualTable(resource) === spelled ? {} : { table: spelled };
}

function idEntry({ table, key }: AdoptedTable) {
  const type = idTypeOf(key.type);
  if (key.name === "id" && type === "uuid") return {};
  const isMade = type === "uuid" || key.default !== null || key.identity !== null;
  const isGiven = !isMade && !isView(table);
  return { id: { column: key.name, type, ...(isGiven && { given: true }) } };
}

function timeEntries({ createdAt, updatedAt, timezone }: AdoptedTable) {
  const created = timeEntry(createdAt, timezone);
  const updated = timeEntry(updatedAt, timezone);
  return {
    ...(created !== usualTimes.createdAt && { createdAt: created }),
    ...(updated !== usualTimes.updatedAt && { updatedAt: updated }),
  };
}

function timeEntry(column: FoundColumn | null, timezone: string | null) {
  if (column === null) return "none";
  return isLocalTime(column.type) ? { column: column.name, timezone } : column.name;
}

function accessOf({ closed }: AdoptedTable) {
  const isReadOnly = closed.length === 3;
  return {
    read: ["admin"],
    write: isReadOnly ? "nobody" : ["admin"],
    ...(!isReadOnly && Object.fromEntries(closed.map((action) => [action, "nobody"]))),
  };
}

function fieldEntry({ name, column, options: { type, ...options } }: AdoptedField) {
  return { type, ...(usualColumn(name) !== column.name && { column: column.name }), ...options };
}
