import type { RecordId } from "../../runtime/values/schema/id-types.js";
import { timeNames } from "../../runtime/values/schema/record-times.js";
import type { FieldAccess } from "../kind/field.js";
import { defaultOf, type Field, isRequired, kindOf } from "../kind/kinds.js";
import type { ModelRule } from "../model/condition.js";
import {
  actions,
  type Changes,
  type Display,
  type IndexField,
  isAnyCase,
  isUnique,
  type Model,
  type OwnerLink,
  type Resource,
  type Search,
  type Team,
} from "../model/model.js";
import { jsonFile } from "../text/json.js";
import type { Literal } from "../text/typescript.js";
import type { EmittedFile } from "./file.js";

/** Emits `descriptors.json`: the response of `GET /api/_service/resources`. The generated code does not read it. */
export function emitDescriptors({ resources }: Model): EmittedFile {
  return { path: "generated/descriptors.json", text: jsonFile(resources.map(descriptor)) };
}

function descriptor({
  name,
  singular,
  label,
  display,
  was,
  fields,
  uniques,
  indexes,
  access,
  owner,
  team,
  changes,
  trash,
  search,
  times,
  id,
}: Resource) {
  return {
    name,
    singular,
    label,
    ...present({ was }),
    path: `/api/${name}`,
    ...idOf(id),
    ...missingTimes(times),
    ...shown(display),
    fields: fields.map(fieldDescriptor),
    ...(uniques.length > 0 && { unique: uniques }),
    ...(indexes.length > 0 && { indexes: indexes.map(indexKeys) }),
    access: {
      ...Object.fromEntries(actions.map((action) => [action, ruleLiteral(access[action])])),
      ...(changes !== null &&
        changes.history !== null && { history: historyRule(access, changes) }),
      ...(trash !== null && { purge: ruleLiteral(trash.purge ?? access.delete) }),
    },
    ...(owner !== null && { owner: ownerOf(owner, team) }),
    ...(changes !== null && { changes: changesOf(changes) }),
    ...(trash !== null && { trash: trash.days }),
    ...(search !== null && { search: searchOf(search) }),
  };
}

/** Returns the type of ids, and whether create requests must contain them; empty for UUIDs. */
function idOf({ type, given }: RecordId) {
  return type === "uuid" ? {} : { id: { type, given } };
}

/** Returns `none` for `createdAt` and `updatedAt` if records lack them. */
function missingTimes(times: Resource["times"]) {
  return Object.fromEntries(
    timeNames.filter((name) => times[name] === null).map((name) => [name, "none"] as const),
  );
}

/** The path to the owner; for the members of a group, with the fields that the descriptor may omit. */
function ownerOf(links: readonly OwnerLink[], team: Team | null): Literal {
  const way = links.map(({ field }) => field).join(".");
  if (team === null) return way;
  const { through, group, account, role, founder } = team;
  const named = { group: group.field, account: account.field };
  const link = links.length === 0 ? "id" : way;
  return { link, through, ...named, ...present({ role: role?.field ?? null, founder }) };
}

function historyRule({ update }: Resource["access"], { access }: Changes): Literal {
  return ruleLiteral(access ?? update);
}

/** The rule in the descriptor's notation. */
function ruleLiteral(rule: ModelRule): Literal {
  if (typeof rule === "string") return rule;
  return rule.map((entry): Literal => {
    if (typeof entry === "string") return entry;
    const { who, where, check } = entry;
    return { who, ...(where && { where }), ...(check && { check }) };
  });
}

/** Returns the value of `search` in the descriptor's notation, including defaults. */
function searchOf({ language, fields, accents }: Search): Literal {
  const weights = fields.map(({ name, weight }) => [name, weight] as const);
  return { language, fields: Object.fromEntries(weights), accents };
}

/** The value of `changes` in the descriptor's notation. */
function changesOf({ history }: Changes): Literal {
  return history === null ? true : { history };
}

/**
 * Returns the display keys in the descriptor's notation: a row or a title of one field is written as the field's name.
 */
function shown({ title, icon, group, list, form }: Display) {
  return {
    ...(title !== null && { title: title.length === 1 ? (title[0] ?? "") : title }),
    ...present({ icon, group, list }),
    ...(form !== null && { form: form.map((row) => (row.length === 1 ? (row[0] ?? "") : row)) }),
  };
}

/** An index in the descriptor's notation: `[status, -createdAt]`. */
function indexKeys(index: readonly IndexField[]): readonly string[] {
  return index.map(({ name, descending }) => (descending ? `-${name}` : name));
}

/** Returns the field's keys in the descriptor's notation, including defaults. */
function fieldDescriptor(field: Field): { readonly [key: string]: Literal } {
  const { name, kind, label, description, help, placeholder, was, access } = field;
  const { readOnly, computed } = field;
  const usual = defaultOf(field);
  const hasDefault = !Array.isArray(usual) || usual.length > 0;
  return {
    name,
    type: kind,
    required: isRequired(field),
    unique: isUnique(field),
    ...(isAnyCase(field) && { anyCase: true }),
    ...(readOnly && { readOnly }),
    ...(field.columnDefault && { columnDefault: true }),
    ...(computed !== null && { computed: computed.text }),
    ...(computed?.isIndexed === true && { index: true }),
    ...present({ label, description, help, placeholder, was }),
    ...(isRestricted(access) && {
      access: { read: ruleLiteral(access.read), write: ruleLiteral(access.write) },
    }),
    ...(hasDefault && present({ default: usual })),
    ...present(kindOf(field).describe(field)),
  };
}

function isRestricted({ read, write }: FieldAccess): boolean {
  return read !== "signed-in" || write !== "signed-in";
}

function present(values: Readonly<Record<string, Literal>>): { readonly [key: string]: Literal } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
