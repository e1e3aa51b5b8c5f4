import { Link } from "wouter";
import { listPath, thing } from "../../api/descriptors.js";
import type { Resource } from "../../api/types.js";
import { Title } from "../../parts/page.js";
import { enRecord } from "../../text/en-record.js";

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
