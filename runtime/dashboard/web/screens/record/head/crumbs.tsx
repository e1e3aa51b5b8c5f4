import { Link } from "wouter";
import { useSession } from "../../../api/account/session.js";
import type { Resource, Row } from "../../../api/client/types.js";
import { listPath, recordPath, titleOf } from "../../../api/records/descriptors.js";
import { parentLink } from "../../../api/records/records.js";
import { asReturn, lastList } from "../../../browser/address/returning.js";
import { enRecord } from "../../../text/en/record.js";

const text = enRecord;

export interface CrumbsProps {
  readonly resource: Resource;
  /** The id of the record that its list returns to; null for a new record. */
  readonly id: string | null;
  /** The id of the record that a field links to; null for none. */
  readonly idIn: (field: string) => unknown;
  /** The record that a field links to, if known. */
  readonly linkedBy: (field: string) => Row | null | undefined;
}

/** Links above a record: to its parent, opened at the list of these records, and to its own list. */
export function Crumbs({ resource, id, idIn, linkedBy }: CrumbsProps) {
  const { user, resources } = useSession();
  const link = parentLink(resources, resource);
  const parent = link === null ? null : idIn(link.field.name);
  return (
    <nav className="crumbs" aria-label={text.crumbs}>
      {link === null || typeof parent !== "string" || parent === "" ? null : (
        <>
          <Link
            className="cut"
            href={`${recordPath(link.target.name, parent)}/${link.field.inverse}`}
            data-linked=""
          >
            <bdi>
              {text.parent(
                link.target.singular,
                titleOf(link.target, linkedBy(link.field.name) ?? { id: parent }),
              )}
            </bdi>
          </Link>
          <span aria-hidden="true">/</span>
        </>
      )}
      <Link href={lastList(user.id, listPath(resource))} {...asReturn(id)}>
        <bdi>{resource.label}</bdi>
      </Link>
    </nav>
  );
}
