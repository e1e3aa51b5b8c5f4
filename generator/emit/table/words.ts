import { wordsName } from "../../../runtime/values/schema/words.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { Resource } from "../../model/model.js";
import type { Layout } from "../../text/layout.js";
import { arrow, literal, object, property, stringLiteral } from "../../text/typescript.js";

/** Returns the property for full-text search: the indexed words and the fields that they come from. */
export function wordsProperty(
  { search, table }: Resource,
  names: ReadonlyMap<string, string>,
): readonly Layout[] {
  if (search === null) return [];
  const fields = search.fields.map(({ name, group, field, link }) => {
    const linked =
      link === null
        ? []
        : [
            property("link", literal(link.field)),
            property("field", literal(field)),
            property("table", arrow("", names.get(link.resource) ?? link.resource)),
          ];
    return property(name, object([property("group", literal(group)), ...linked]));
  });
  const name = stringLiteral(`service.${sqlIdentifier(wordsName(table))}`);
  return [property("words", object([property("name", name), property("fields", object(fields))]))];
}
