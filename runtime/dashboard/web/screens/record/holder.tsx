import { useQuery } from "@tanstack/react-query";
import { labelOf, may, recordPath } from "../../api/descriptors.js";
import { holderQuestion } from "../../api/record-search.js";
import { useSession } from "../../api/session.js";
import type { Resource } from "../../api/types.js";
import { enRecord } from "../../text/en-record.js";
import { listed } from "../../text/format.js";
import type { Double } from "./doubles.js";

/** Leads to the record that has the values already, where the caller may see it; beside this page, which stays as it is. */
export function OpenHolder({
  resource,
  double: { fields, values, message },
}: {
  readonly resource: Resource;
  readonly double: Double;
}) {
  const { user } = useSession();
  const { data: id } = useQuery({
    ...holderQuestion(user.id, resource.name, values),
    enabled: may(resource, "list") && may(resource, "get"),
  });
  if (typeof id !== "string") return null;
  return (
    <p className="small">
      <bdi>{listed(fields.map(labelOf), "and")}</bdi>: {message.replace(/[.]?$/, ".")}{" "}
      <a href={recordPath(resource.name, id)} target="_blank" rel="noreferrer">
        {enRecord.openHolder}
      </a>
    </p>
  );
}
