import { type Field, isFile, kindOf } from "../kind/kinds.js";
import type { Resource } from "../model/model.js";
import { print } from "../text/layout.js";
import { render } from "../text/templates.js";
import { commentText, member, stringLiteral } from "../text/typescript.js";
import { type EmittedFile, preamble, resourceFile, runtimeTypes } from "./file.js";

/** `types.ts`: the record as the API shows it, and the values that a write stores. */
export function emitTypes(resource: Resource): EmittedFile {
  const { type, fields, singular } = resource;
  const bearsFile = fields.some(isFile);
  return {
    path: resourceFile(resource, "types"),
    text: render("generated/types.ts", {
      preamble: preamble(resource, bearsFile ? [runtimeTypes(["FileDetails"])] : []),
      type,
      singular: commentText(singular),
      record: fields.flatMap(recordLines),
      values: fields.map(valueLine),
      hasValues: fields.length > 0,
    }),
  };
}

function recordLines(field: Field): string[] {
  const lines = [...comment(field), valueLine(field)];
  if (isFile(field)) lines.push(`${field.name}File: FileDetails | null;`);
  return lines;
}

function comment({ description }: Field): string[] {
  return description === null ? [] : [`/** ${commentText(description)} */`];
}

function valueLine(field: Field): string {
  const type = kindOf(field).typescript(field);
  const types = "union" in type ? type.union.map(stringLiteral) : [type.name];
  return print(member(field.name, field.required ? types : [...types, "null"]), { indent: 2 });
}
