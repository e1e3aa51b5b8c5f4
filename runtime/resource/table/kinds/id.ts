import { type IdType, idForms } from "../../../values/schema/id-types.js";
import { asText, type Kind, kindDefaults, reads } from "./kind.js";

/** The id of the record itself; no field is of this kind. */
export const idKind: Kind = idsOf("uuid");

/** Values of other types than `uuid` are returned as text, for example without the padding of `char(10)`. */
const shownAsText = {
  shown: (value) => `${value}::text`,
  jsonText: (value) => `to_json(${value}::text)::text`,
} satisfies Partial<Kind>;

/** Integer ids. Parameters are cast, as the column may be of a smaller type than `bigint`. */
export const integerIdKind: Kind = { ...idsOf("integer"), ...shownAsText, cast: "::bigint" };

export const stringIdKind: Kind = { ...idsOf("string"), ...shownAsText };

function idsOf(type: IdType): Kind {
  const { isId, words, sqlType } = idForms[type];
  return {
    ...kindDefaults,
    ...reads((value) => (isId(value) ? { value } : { problem: `Must be ${words}` })),
    sqlType,
    idType: type,
    comparisons: "whole",
    index: "rows",
  };
}

/** The account that deleted a record in the trash, by name; no field is of this kind. */
export const accountKind: Kind = {
  ...kindDefaults,
  ...reads(asText),
  sqlType: "uuid",
  comparisons: null,
  shown: (value) =>
    `(select json_build_object('id', _by.id, 'name', _by.name) from service.users as _by where _by.id = ${value})`,
};
