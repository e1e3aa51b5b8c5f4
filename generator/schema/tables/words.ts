import type { Words, WordsField } from "../../../runtime/values/schema/schema.js";
import type { Search, SearchField } from "../../model/model.js";

/** Returns the indexed words of a table. Fields with the same readers are adjacent, and long ones come last. */
export function wordsOf({ language, languageColumn, languages, accents, fields }: Search): Words {
  const inOrder = fields.toSorted(
    (one, other) => one.group - other.group || Number(one.isLong) - Number(other.isLong),
  );
  return {
    language: languageColumn === null ? language : null,
    ...{ languageColumn, languages, accents },
    fields: inOrder.map(wordsField),
  };
}

function wordsField({ column, weight, group, isList, link }: SearchField): WordsField {
  const linked = link && {
    ...{ column: link.column, table: link.table },
    ...(link.isList && ({ list: true } as const)),
  };
  return { column, weight, group, ...(isList && { list: true }), link: linked };
}
