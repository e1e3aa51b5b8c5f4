import { isUuid } from "../../../values/uuid.js";
import { type Kind, kindDefaults, reads } from "./kind.js";

/** The id of the record itself; no field is of this kind. */
export const idKind: Kind = {
  ...kindDefaults,
  ...reads((value) => (isUuid(value) ? { value } : { problem: "Must be an id (UUID)" })),
  sqlType: "uuid",
  comparisons: "whole",
  index: "rows",
};
