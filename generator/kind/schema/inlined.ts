import {
  innerSchemas,
  isObject,
  type JsonSchema,
  resolvedRef,
  type SchemaObject,
} from "../../../runtime/values/json-schema/schema.js";

/** Maximum number of schemas in an inlined one; further ones accept any value. */
const maxSchemas = 1_000;

/** Keywords that are meaningless without references. */
const ofReferences = new Set(["$schema", "$id", "$defs", "$anchor", "$ref", "$comment"]);

/** Returns the schema with each reference replaced by the referenced schema; a recursive one accepts any value. */
export function inlined(root: JsonSchema): JsonSchema {
  let count = 0;
  const inline = (schema: unknown, open: readonly unknown[]): JsonSchema => {
    count += 1;
    if (!isObject(schema)) return schema !== false;
    if (open.includes(schema) || count > maxSchemas) return true;
    const around = [...open, schema];
    const own = replaced(schema, (inner) => inline(inner, around));
    if (typeof schema.$ref !== "string") return own;
    const target = inline(resolvedRef(root, schema.$ref), around);
    if (Object.keys(own).length === 0) return target;
    const others = Array.isArray(own.allOf) ? own.allOf : [];
    return { ...own, allOf: [target, ...others] };
  };
  return inline(root, []);
}

/** Returns the schema without the keywords of references, and with `inline` applied to nested schemas. */
function replaced(schema: SchemaObject, inline: (inner: unknown) => JsonSchema): SchemaObject {
  const inner = innerSchemas(schema);
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (ofReferences.has(keyword)) return [];
    const own = inner.filter(({ path }) => path[0] === keyword);
    if (own.length === 0) return [[keyword, value]];
    if (own[0]?.path.length === 1) return [[keyword, inline(own[0].schema)]];
    const members = own.map(({ path, schema: one }) => [String(path[1]), inline(one)] as const);
    return [
      [keyword, Array.isArray(value) ? members.map(([, one]) => one) : Object.fromEntries(members)],
    ];
  });
  return Object.fromEntries(entries);
}
