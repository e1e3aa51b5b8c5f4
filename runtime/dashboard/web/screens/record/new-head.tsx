import { Link } from "wouter";
import { listPath, thing } from "../../api/descriptors.js";
import type { Resource } from "../../api/types.js";
import { Title } from "../../parts/page.js";
import { en } from "../../text/en.js";

export function NewHead({ resource }: { readonly resource: Resource }) {
  return (
    <div className="top">
      <div>
        <p className="crumbs">
          <Link href={listPath(resource)}>
            <bdi>{resource.label}</bdi>
          </Link>
        </p>
        <Title>{en.record.new(thing(resource))}</Title>
      </div>
    </div>
  );
}
