import { useQuery } from "@tanstack/react-query";
import { labelOf, may, recordPath } from "../../api/descriptors.js";
import { holderQuestion } from "../../api/record-search.js";
import { useSession } from "../../api/session.js";
import type { Field, Resource } from "../../api/types.js";
import { enRecord } from "../../text/en-record.js";

export interface HolderProps {
  readonly resource: Resource;
  /** A unique field whose value was refused. */
  readonly field: Field;
  readonly value: unknown;
  /** The API's sentence. */
  readonly message: string;
}

/** Leads to the record that has the value already, where the caller may see it; beside this page, which stays as it is. */
export function OpenHolder({ resource, field, value, message }: HolderProps) {
  const { user } = useSession();
  const { data: id } = useQuery({
    ...holderQuestion(user.id, resource.name, field.name, value),
    enabled: may(resource, "list") && may(resource, "get") && value !== null,
  });
  if (typeof id !== "string") return null;
  return (
    <p className="small">
      <bdi>{labelOf(field)}</bdi>: {message.replace(/[.]?$/, ".")}{" "}
      <a href={recordPath(resource.name, id)} target="_blank" rel="noreferrer">
        {enRecord.openHolder}
      </a>
    </p>
  );
}
