import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Path } from "../../../runtime/values/yaml/position.js";
import { type AnyKind, fieldWords } from "../../kind/kinds.js";
import type { Display } from "../../model/model.js";
import type { FieldDescriptor } from "../descriptor.js";
import { misplacedField } from "../issues.js";
import { isMap } from "../shape.js";
import type { DescriptorIssue } from "../source.js";

/** The display of a descriptor without display keys. */
export const noDisplay: Display = { title: null, icon: null, group: null, list: null, form: null };

/** The display keys at a descriptor's top level; individual strings have already been validated. */
interface WrittenDisplay {
  readonly title?: unknown;
  readonly icon?: string | undefined;
  readonly group?: string | undefined;
  readonly list?: unknown;
  readonly form?: unknown;
}

type Fields = readonly FieldDescriptor[] | null;

interface Read<T> {
  readonly value: T;
  readonly issues: readonly DescriptorIssue[];
}

/** Fields of every record that a list may show. */
const ownFields = ["id", "createdAt", "updatedAt"];
/** Maximum number of columns, far more than is readable. */
export const maxColumns = 100;
/** Maximum number of rows: a resource has no more fields. */
export const maxRows = 1_000;
/** Maximum number of fields side by side on the widest form. */
export const maxInRow = 4;

/** Reads the display keys; `fields` is null if the resource's fields are unknown. */
export function readDisplay(
  written: WrittenDisplay,
  fields: Fields,
): { readonly display: Display; readonly issues: readonly DescriptorIssue[] } {
  const { icon = null, group = null, list, form } = written;
  const title = readTitle(written.title, fields);
  const columns = readList(list, fields);
  const rows = readForm(form, fields);
  return {
    display: {
      title: title.value,
      icon,
      group,
      list: columns.value,
      form: rows.value,
    },
    issues: [...title.issues, ...columns.issues, ...rows.issues],
  };
}

/** Maximum number of fields in a title. */
export const maxInTitle = 3;

const titleExample = "title: [firstName, lastName]";

function readTitle(written: unknown, fields: Fields): Read<readonly string[] | null> {
  if (written === undefined) return { value: null, issues: [] };
  const path = ["title"];
  if (typeof written === "string") {
    const issue = titleIssue(written, fields);
    return issue === null ? { value: [written], issues: [] } : { value: null, issues: [issue] };
  }
  const whole = listIssue(written, {
    name: '"title"',
    path,
    of: `a field's name, or a list of 1 to ${maxInTitle}`,
    most: maxInTitle,
    example: titleExample,
  });
  if (whole !== null || !Array.isArray(written)) {
    return { value: null, issues: whole === null ? [] : [whole] };
  }
  const members = written.map((name: unknown, at) => ({ name, path: [...path, at] }));
  const rule = { key: "title", fields, own: [], example: titleExample };
  const kinds = members.flatMap((member): readonly DescriptorIssue[] => {
    const kind = fields?.find(({ name }) => name === member.name)?.kind ?? null;
    if (kind === null || kind.title !== null) return [];
    const hint = "leave it out: a title is a line of text";
    return [
      { path: member.path, at: "value", message: notATitle(String(member.name), kind), hint },
    ];
  });
  const issues = [...membersIssues(members, rule), ...kinds];
  return { value: issues.length === 0 ? written : null, issues };
}

/** Returns the issue of a title of one field, which must be a string or a link; null if there is none. */
function titleIssue(title: string, fields: Fields): DescriptorIssue | null {
  if (fields === null) return null;
  const strings = fields.filter(({ kind }) => kind?.title === "alone").map(({ name }) => name);
  const hint =
    didYouMean(title, strings) ??
    (strings.length === 0
      ? "remove it: only a string field can name a record"
      : `its string fields are ${listWordsBriefly(strings)}`);
  const field = fields.find(({ name }) => name === title);
  if (field === undefined) {
    const message = `"title" names "${title}", which is not a field`;
    return { path: ["title"], at: "value", message, hint };
  }
  const { kind } = field;
  if (kind === null || kind.title === "alone") return null;
  return { path: ["title"], at: "value", message: notATitle(title, kind), hint };
}

function notATitle(name: string, kind: AnyKind): string {
  return `"title" cannot be "${name}": it is ${fieldWords(kind)}`;
}

const listExample = "list: [name, price, status]";
const formExample = "form: [[name, price], description]";

function readList(written: unknown, fields: Fields): Read<readonly string[] | null> {
  if (written === undefined) return { value: null, issues: [] };
  const issue = listIssue(written, {
    name: '"list"',
    path: ["list"],
    of: `a list of 1 to ${maxColumns} fields`,
    most: maxColumns,
    example: listExample,
  });
  if (issue !== null || !Array.isArray(written)) {
    return { value: null, issues: issue === null ? [] : [issue] };
  }
  const issues = membersIssues(
    written.map((name, at) => ({ name, path: ["list", at] })),
    { key: "list", fields, own: ownFields, example: listExample },
  );
  return { value: issues.length === 0 ? written : null, issues };
}

function readForm(written: unknown, fields: Fields): Read<readonly (readonly string[])[] | null> {
  if (written === undefined) return { value: null, issues: [] };
  const whole = listIssue(written, {
    name: '"form"',
    path: ["form"],
    of: "a list of fields, or of lists of fields that are shown side by side",
    most: maxRows,
    example: formExample,
  });
  if (whole !== null || !Array.isArray(written)) {
    return { value: null, issues: whole === null ? [] : [whole] };
  }
  const rows: readonly unknown[] = written;
  const wide = rows.flatMap((row, at): readonly DescriptorIssue[] => {
    if (!Array.isArray(row)) return [];
    const issue = listIssue(row, {
      name: `entry ${at + 1} of "form"`,
      path: ["form", at],
      of: `a field, or a list of 1 to ${maxInRow} fields`,
      most: maxInRow,
      example: formExample,
    });
    return issue === null ? [] : [issue];
  });
  const members = rows.flatMap((row, at): readonly Member[] =>
    Array.isArray(row)
      ? row.map((name: unknown, index) => ({ name, path: ["form", at, index] }))
      : [{ name: row, path: ["form", at] }],
  );
  const rule = { key: "form", fields, own: [], example: formExample };
  const issues = [...wide, ...membersIssues(members, rule)];
  const value = rows.map((row) => [row].flat().filter((name) => typeof name === "string"));
  return { value: issues.length === 0 ? value : null, issues };
}

interface ListRule {
  /** The key's name in messages. */
  readonly name: string;
  readonly path: Path;
  readonly of: string;
  readonly most: number;
  readonly example: string;
}

/** The issue of a list as a whole; null if its entries can be read. */
function listIssue(written: unknown, { name, path, of, most, example }: ListRule) {
  const issue = (message: string, hint: string): DescriptorIssue => {
    return { path, at: "value", message: `${name} ${message}`, hint };
  };
  if (written === null) return issue("is empty", "write a value for it, or remove it");
  if (!Array.isArray(written)) {
    const isField = isMap(written) && "type" in written;
    const hint = isField ? misplacedField : `for example ${example}`;
    return issue(`must be ${of}`, hint);
  }
  if (written.length === 0) return issue("is empty", `write ${example}, or remove it`);
  const many = `has ${written.length} entries, more than ${most}`;
  return written.length > most ? issue(many, "leave some out") : null;
}

interface Member {
  readonly name: unknown;
  readonly path: Path;
}

interface MemberRule {
  readonly key: string;
  readonly fields: Fields;
  /** Names allowed in addition to the fields. */
  readonly own: readonly string[];
  readonly example: string;
}

function membersIssues(members: readonly Member[], rule: MemberRule): readonly DescriptorIssue[] {
  const seen = new Set<string>();
  return members.flatMap(({ name, path }): readonly DescriptorIssue[] => {
    const mistake = memberMistake(name, rule, seen);
    if (typeof name === "string") seen.add(name);
    return mistake === null ? [] : [{ ...mistake, path, at: "value" }];
  });
}

function memberMistake(name: unknown, rule: MemberRule, seen: Set<string>) {
  const { key, fields, own, example } = rule;
  if (typeof name !== "string") {
    const isWord = ["number", "boolean"].includes(typeof name) || name === null;
    return {
      message: `a field's name in "${key}" must be text`,
      hint: isWord ? `write it in quotes: "${name}"` : `for example ${example}`,
    };
  }
  if (seen.has(name)) {
    return { message: `"${name}" appears twice in "${key}"`, hint: "keep one of the two" };
  }
  if (fields === null || own.includes(name)) return null;
  if (ownFields.includes(name)) {
    const message = `"${name}" cannot be part of "${key}"`;
    return { message, hint: "leave it out: it has no value that a caller writes" };
  }
  const known = [...fields.map((field) => field.name), ...own];
  if (known.includes(name)) return null;
  const all =
    fields.length === 0
      ? "write it below fields first"
      : `the fields are ${listWordsBriefly(known)}`;
  const message = `"${key}" names "${name}", which is not a field`;
  return { message, hint: didYouMean(name, known) ?? all };
}
