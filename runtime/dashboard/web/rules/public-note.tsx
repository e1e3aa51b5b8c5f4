import { useSession } from "../api/account/session.js";
import type { Resource } from "../api/client/types.js";
import { Icon } from "../parts/button/icon.js";
import { enRules } from "../text/en/operators/rules.js";
import { isPublic, publicConditions } from "./public.js";
import "./rules.css";
import { anyWords } from "./words.js";

const text = enRules;

/** States who may see a record of a public resource: anyone, or anyone under a condition. */
export function PublicNote({ resource }: { readonly resource: Resource }) {
  const { resources } = useSession();
  if (!isPublic(resource)) return null;
  const { access = {} } = resource;
  const conditions = publicConditions(access.get) ?? publicConditions(access.list) ?? [];
  return (
    <p className="small muted public-note">
      <Icon name="eye" />
      <span>
        {conditions.length === 0
          ? text.anyone
          : text.anyoneIf(anyWords(resources, resource, conditions))}
      </span>
    </p>
  );
}
