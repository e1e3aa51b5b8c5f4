import { type EmittedFile, preamble } from "../emit/file.js";
import { detailsKeys, type Field, isNullable, kindOf } from "../kind/kinds.js";
import { elementOf } from "../kind/list/list.js";
import { isAnyCase, type Resource, severalOf } from "../model/model.js";
import { isNeededToCreate, writtenFields } from "../model/needed.js";
import { timeMembers } from "../model/times.js";
import { group, indent, type Layout, line, print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { docComment, generic, member, union } from "../text/typescript.js";
import { aliases } from "./aliases.js";
import { facts } from "./facts.js";
import { type Find, type Named, valueTypes, whereFields } from "./named.js";

/** Emits `client/products.ts`: the types of the resource's records and requests. */
export function emitResource(named: Named, find: Find): EmittedFile {
  const { resource, names, file } = named;
  const path = `generated/client/${file}.ts`;
  return {
    path,
    text: render("generated/client/resource.ts", {
      preamble: preamble(resource, [
        ...relatedImports(named, find),
        { from: "./runtime.js", all: "client" },
        ...(resource.fields.some((field) => kindOf(field).hasMembers)
          ? [{ from: "./json.js", all: "json" }]
          : []),
      ]),
      singular: docComment(resource.singular, 0),
      record: interfaceLines(names.Record, recordMembers(resource)),
      create: interfaceLines(names.Create, createMembers(named)),
      where: whereLines(named, find),
      types: interfaceLines(names.Types, facts(named, find)),
      aliases: aliases(named),
    }),
  };
}

/** Returns the types of other resources that conditions and includes use. */
function relatedImports({ resource, names }: Named, find: Find) {
  const others = [...resource.links, ...severalOf(resource)].flatMap((one) => {
    const target = find(one.resource);
    return target === null || target.names === names ? [] : [target];
  });
  return [...new Set(others)].map((target) => ({
    from: `./${target.file}.js`,
    names: [target.names.Types, target.names.Where],
    typeOnly: true,
  }));
}

function interfaceLines(name: string, members: readonly string[]): readonly string[] {
  if (members.length === 0) return [`export type ${name} = client.None;`];
  return [`export interface ${name} {`, ...members, "}"];
}

function recordMembers({ fields, trash, times }: Resource): readonly string[] {
  const deleted = [
    "  /** For a record in the trash: when and by whom it was deleted. */",
    "  deletedAt?: string;",
    "  deletedBy?: { id: string; name: string } | null;",
  ];
  return [
    "  id: string;",
    ...fields.flatMap(fieldLines),
    ...(trash === null ? [] : deleted),
    ...timeMembers(times).map((text) => `  ${text}`),
  ];
}

function fieldLines(field: Field): readonly string[] {
  const { name, description, access } = field;
  // Some callers do not receive the key.
  const mark = access.read === "signed-in" ? "" : "?";
  return [
    ...(description === null ? [] : docComment(description, 2).map((text) => `  ${text}`)),
    printed(member(name, typesOf(field), mark)),
    ...fileLines(field, mark),
  ];
}

function fileLines(field: Field, mark: string): readonly string[] {
  const type = field.list === null ? "client.FileDetails | null" : "client.FileDetails[]";
  const isPrivate = kindOf(field).describe(field).private === true;
  return detailsKeys(field).flatMap((key) => [
    ...(isPrivate ? ["  /** Private: its addresses are valid for a limited time. */"] : []),
    `  ${key}${mark}: ${type};`,
  ]);
}

function createMembers({ resource }: Named): readonly string[] {
  const values = writtenFields(resource).map((field) =>
    printed(member(field.name, typesOf(field), isNeededToCreate(resource, field) ? "" : "?")),
  );
  return resource.id.given ? ["  id: string;", ...values] : values;
}

function typesOf(field: Field): readonly Layout[] {
  return isNullable(field) ? [...valueTypes(field), "null"] : valueTypes(field);
}

function whereLines(named: Named, find: Find): readonly string[] {
  const { resource, names } = named;
  const whereOf = (name: string) => find(name)?.names.Where ?? "client.PersonWhere";
  const members = [
    ...whereFields(resource).map((field) => {
      const key = ["and", "or", "not"].includes(field.name) ? `field:${field.name}` : field.name;
      return member(key, conditionsOf(field), "?");
    }),
    ...(resource.trash === null ? [] : [member("deletedAt", ["client.TimeCondition"], "?")]),
    ...resource.links.map((link) => member(link.name, [whereOf(link.resource)], "?")),
    ...severalOf(resource).map((inverse) =>
      member(inverse.name, [generic("client.InverseOf", [whereOf(inverse.resource)])], "?"),
    ),
  ];
  const base = ["extends ", generic("client.ConditionsOf", [names.Where])];
  const isEmpty = members.length === 0;
  const head = print(group(`export interface ${names.Where}`, indent(line, ...base), " {"), {
    indent: 0,
    reserved: isEmpty ? 1 : 0,
  });
  return isEmpty ? [`${head}}`] : [head, ...members.map(printed), "}"];
}

function conditionsOf(field: Field): readonly Layout[] {
  if (kindOf(field).hasMembers) return ["json.JsonCondition"];
  const { type = "", shared = null } = kindOf(field).condition ?? {};
  if (field.list !== null) {
    const elements = generic(`client.${type}`, [union(valueTypes(elementOf(field)))]);
    return [type === "ListCondition" ? elements : `client.${type}`];
  }
  if (isAnyCase(field)) return [`client.${type}`, "(client.Texts & { same?: string })"];
  return [
    shared === null ? generic(`client.${type}`, [union(valueTypes(field))]) : `client.${type}`,
  ];
}

function printed(layout: Layout): string {
  return `  ${print(layout, { indent: 2 })}`;
}
