import { useSession } from "../api/account/session.js";
import type { Resource } from "../api/client/types.js";
import { enRules } from "../text/en/operators/rules.js";
import "./rules.css";
import { ruleWords } from "./words.js";

const actions = ["list", "get", "stats", "create", "update", "delete", "history"] as const;

/** Describes the rules of a resource. */
export default function RuleList({ resource }: { readonly resource: Resource }) {
  const { resources } = useSession();
  const { access = {} } = resource;
  return (
    <dl className="rule-list">
      {actions.map((action) => {
        const rule = access[action];
        return rule === undefined ? null : (
          <div key={action}>
            <dt>{enRules.actions[action]}</dt>
            <dd>
              <bdi>{ruleWords(resources, resource, rule)}</bdi>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
