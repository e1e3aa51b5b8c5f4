import { Link } from "wouter";
import type { Resource } from "../../../api/client/types.js";
import { listPath, thing } from "../../../api/records/descriptors.js";
import { Title } from "../../../parts/page/page.js";
import { enRecord } from "../../../text/en/record.js";

export function NewHead({ resource }: { readonly resource: Resource }) {
  return (
    <div className="top">
      <div>
        <p className="crumbs">
          <Link href={listPath(resource)}>
            <bdi>{resource.label}</bdi>
          </Link>
        </p>
        <Title>{enRecord.new(thing(resource))}</Title>
      </div>
    </div>
  );
}
