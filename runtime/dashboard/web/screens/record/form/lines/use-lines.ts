import { type Dispatch, useReducer } from "react";
import { useSession } from "../../../../api/account/session.js";
import type { Resource } from "../../../../api/client/types.js";
import { may } from "../../../../api/records/descriptors.js";
import { type Inverse, inversesOf } from "../../../../api/records/records.js";
import { type Line, type LineAction, linesReducer } from "./state.js";

/** The lines of a form: all that is written with its record. */
export interface Lines {
  readonly inverses: readonly Inverse[];
  readonly pending: readonly Line[];
  readonly act: Dispatch<LineAction>;
}

/**
 * The records shown as rows below a record: those that belong to it permanently and are deleted with it. Others have
 * tabs.
 */
function linesOf(resources: readonly Resource[], resource: Resource): readonly Inverse[] {
  return inversesOf(resources, resource).filter(
    ({ resource: child, field }) =>
      field.required === true &&
      field.writable !== false &&
      child.name !== resource.name &&
      field.onDelete === "cascade" &&
      (may(child, "create") || may(child, "update")),
  );
}

export function useLines(resource: Resource): Lines {
  const { resources } = useSession();
  const [pending, act] = useReducer(linesReducer, []);
  return { inverses: linesOf(resources, resource), pending, act };
}
