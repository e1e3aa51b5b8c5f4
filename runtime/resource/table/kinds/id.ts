import { isUuid } from "../../../values/uuid.js";
import { asText, type Kind, kindDefaults, reads } from "./kind.js";

/** The id of the record itself; no field is of this kind. */
export const idKind: Kind = {
  ...kindDefaults,
  ...reads((value) => (isUuid(value) ? { value } : { problem: "Must be an id (UUID)" })),
  sqlType: "uuid",
  comparisons: "whole",
  index: "rows",
};

/** Who has deleted a record in the trash, by name; no field is of this kind. */
export const accountKind: Kind = {
  ...kindDefaults,
  ...reads(asText),
  sqlType: "uuid",
  comparisons: null,
  shown: (value) =>
    `(select json_build_object('id', _by.id, 'name', _by.name) from service.users as _by where _by.id = ${value})`,
};
