import { asText, type Kind, kindDefaults, reads } from "./kind.js";

/** Who has deleted a record in the trash, by name; no field is of this kind. */
export const accountKind: Kind = {
  ...kindDefaults,
  ...reads(asText),
  sqlType: "uuid",
  comparisons: null,
  shown: (value) =>
    `(select json_build_object('id', _by.id, 'name', _by.name) from service.users as _by where _by.id = ${value})`,
};
