import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../../api/account/session.js";
import type { Resource } from "../../../api/client/types.js";
import { labelOf, may, recordPath } from "../../../api/records/descriptors.js";
import { holderQuery } from "../../../api/records/record-search.js";
import { enRecord } from "../../../text/en/record.js";
import { listed } from "../../../text/format.js";
import type { TakenValues } from "./taken-values.js";

/** A link to the record that already has the values, if the caller may see it. It opens in a new tab. */
export function OpenTaken({
  resource,
  double: { fields, values, message },
}: {
  readonly resource: Resource;
  readonly double: TakenValues;
}) {
  const { user } = useSession();
  const { data: id } = useQuery({
    ...holderQuery(user.id, resource.name, values),
    enabled: may(resource, "list") && may(resource, "get"),
  });
  if (typeof id !== "string") return null;
  return (
    <p className="small">
      <bdi>{listed(fields.map(labelOf), "and")}</bdi>: {message.replace(/[.]?$/, ".")}{" "}
      <a href={recordPath(resource.name, id)} target="_blank" rel="noreferrer">
        {enRecord.openTaken}
      </a>
    </p>
  );
}
