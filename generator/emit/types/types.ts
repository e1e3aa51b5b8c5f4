import { isPublicRule } from "../../../runtime/values/access-rule.js";
import { clientName } from "../../../runtime/values/api/client-name.js";
import { detailsKeys, type Field, isFile, isNullable, kindOf } from "../../kind/kinds.js";
import { typeTexts } from "../../kind/schema/type-expression.js";
import { actions, type Model, type Resource } from "../../model/model.js";
import { isUsuallyKnown, writtenFields } from "../../model/needed.js";
import { timeMembers } from "../../model/times.js";
import { print } from "../../text/layout.js";
import { render } from "../../text/templates.js";
import { docComment, member, stringLiteral } from "../../text/typescript.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "../file.js";
import { whereImports, whereLines } from "./where.js";

/** Emits `types.ts`: the record in the API, the values that a write stores, and the types for app code. */
export function emitTypes(resource: Resource, model: Model): EmittedFile {
  const { type, fields, singular } = resource;
  const written = writtenFields(resource);
  const bearsFile = fields.some(isFile);
  return {
    path: resourceFile(resource, "types"),
    text: render("generated/types.ts", {
      preamble: preamble(resource, [
        { from: "service-runtime/own-code", all: "app" },
        ...(bearsFile ? [runtimeTypes(["FileDetails"])] : []),
        ...whereImports(resource, model),
      ]),
      type,
      singular: docComment(`${singular}: a record as the API shows it.`, 0),
      record: fields.flatMap(recordLines),
      times: timeMembers(resource.times),
      values: written.map((field) => valueLine(field, field.columnDefault ? ["undefined"] : [])),
      hasValues: written.length > 0,
      where: whereLines(resource, model),
      types: typeMembers(resource),
    }),
  };
}

function recordLines(field: Field): string[] {
  const type = field.list === null ? "FileDetails | null" : "FileDetails[]";
  const details = detailsKeys(field).map((key) => `${key}: ${type};`);
  return [...comment(field), valueLine(field), ...details];
}

function comment({ description }: Field): readonly string[] {
  return description === null ? [] : docComment(description, 2);
}

function valueLine(field: Field, more: readonly string[] = []): string {
  const types = [
    ...typeTexts(kindOf(field).typescript(field), "app."),
    ...(isNullable(field) ? ["null"] : []),
    ...more,
  ];
  return print(member(field.name, types), { indent: 2 });
}

function typeMembers(resource: Resource): readonly string[] {
  const { name, type, access, id } = resource;
  const anonymous = actions.filter((action) => isPublicRule(access[action]));
  const defaulted = writtenFields(resource).filter((field) => isUsuallyKnown(resource, field));
  return [
    member("key", [stringLiteral(clientName(name))]),
    member("name", [stringLiteral(name)]),
    member("record", [type]),
    member("values", [`${type}Values`]),
    member("where", [`${type}Where`]),
    member(
      "defaulted",
      defaulted.map((field) => stringLiteral(field.name)),
    ),
    ...(anonymous.length === 0 ? [] : [member("anonymous", anonymous.map(stringLiteral))]),
    ...(id.given ? [member("given", ["{ id: string }"])] : []),
    ...(id.type !== "uuid" && !id.given ? [member("newId", ["null"])] : []),
  ].map((layout) => print(layout, { indent: 2 }));
}
