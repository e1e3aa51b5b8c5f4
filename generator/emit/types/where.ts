import { type Field, hasEntries, isFile, kindOf } from "../../kind/kinds.js";
import { accountsTable, type Model, type Resource, severalOf } from "../../model/model.js";
import type { Import } from "../../text/imports.js";
import { group, indent, type Layout, line, print } from "../../text/layout.js";
import { generic, member, stringLiteral, union } from "../../text/typescript.js";

/** Returns the interface of the fields and linked records that queries can compare. */
export function whereLines(resource: Resource, model: Model): readonly string[] {
  const { type, links } = resource;
  const whereOf = (name: string) => localWhere(resource, name, model);
  const members = [
    ...structured(resource).map(({ name }) => member(keyOf(name), ["app.JsonCondition"], "?")),
    ...listsOf(resource).map((field) =>
      member(field.name, [isFile(field) ? "app.FilesWhere" : "app.LinksWhere"], "?"),
    ),
    ...links.map((one) => member(one.name, [whereOf(one.resource)], "?")),
    ...severalOf(resource).map((one) =>
      member(one.name, [generic("app.InverseWhere", [whereOf(one.resource)])], "?"),
    ),
  ].map((layout) => `  readonly ${print(layout, { indent: 2 + "readonly ".length })}`);
  const base = ["extends ", generic("app.RecordWhere", [comparedRecord(resource), `${type}Where`])];
  const isEmpty = members.length === 0;
  const head = print(group(`export interface ${type}Where`, indent(line, ...base), " {"), {
    indent: 0,
    reserved: isEmpty ? 1 : 0,
  });
  return isEmpty ? [`${head}}`] : [head, ...members, "}"];
}

/** Returns the record's type without the fields whose conditions the interface declares itself. */
function comparedRecord(resource: Resource): Layout {
  const others = [...structured(resource), ...listsOf(resource)];
  const names = others.map(({ name }) => stringLiteral(name));
  return names.length === 0 ? resource.type : generic("Omit", [resource.type, union(names)]);
}

/** Returns fields whose values have members that conditions can compare. */
function structured({ fields }: Resource): readonly Field[] {
  return fields.filter((field) => kindOf(field).hasMembers);
}

/** Returns lists of links, which conditions compare with single ids, and of files. */
function listsOf({ fields }: Resource): readonly Field[] {
  return fields.filter(hasEntries);
}

/** Prefixes a field name that is a reserved word of conditions. */
function keyOf(name: string): string {
  return ["and", "or", "not"].includes(name) ? `field:${name}` : name;
}

export function whereImports(resource: Resource, model: Model): readonly Import[] {
  const names = [...resource.links, ...severalOf(resource)].map((one) => one.resource);
  const others = new Set(names.filter((name) => name !== accountsTable && name !== resource.name));
  return [...others].map((name) => {
    const exported = whereName(name, model);
    const local = localWhere(resource, name, model);
    return {
      from: `../${name}/types.js`,
      names: [local === exported ? local : `${exported} as ${local}`],
      typeOnly: true,
    };
  });
}

/** Returns the file's local name of another resource's interface, because the resource itself may have that name. */
function localWhere(resource: Resource, name: string, model: Model): string {
  if (name === accountsTable) return "app.AccountWhere";
  const where = whereName(name, model);
  return where === resource.type ? `Stored${where}` : where;
}

function whereName(name: string, { resources }: Model): string {
  const found = resources.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no resource ${name}`);
  return `${found.type}Where`;
}
