import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../../api/account/session.js";
import type { Resource } from "../../../api/client/types.js";
import { thing } from "../../../api/records/descriptors.js";
import { titleQuery } from "../../../api/records/queries.js";
import { parentLink } from "../../../api/records/records.js";
import type { Typed } from "../../../form/state.js";
import { Title } from "../../../parts/page/page.js";
import { enRecord } from "../../../text/en/record.js";
import { Crumbs } from "./crumbs.js";

/** The head of a new record's form; `given` are its initial values. */
export function NewHead({
  resource,
  given,
}: {
  readonly resource: Resource;
  readonly given: Typed;
}) {
  const { user, resources } = useSession();
  const link = parentLink(resources, resource);
  const parent = link === null ? "" : (given[link.field.name] ?? "");
  const linked = useQuery({
    ...titleQuery(user.id, link?.target, parent),
    enabled: parent !== "",
  });
  return (
    <div className="top">
      <div className="grow">
        <Crumbs
          resource={resource}
          id={null}
          idIn={(field) => given[field]}
          linkedBy={() => linked.data}
        />
        <Title>{enRecord.new(thing(resource))}</Title>
      </div>
    </div>
  );
}
