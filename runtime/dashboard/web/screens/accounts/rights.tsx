import { useState } from "react";
import { useSearchParams } from "wouter";
import {
  entriesOf,
  isOwnerWord,
  publicWord,
  type Rule,
  signedInWord,
  whoOf,
} from "../../../../values/access-rule.js";
import { useSession } from "../../api/account/session.js";
import type { Resource } from "../../api/client/types.js";
import { labelOf } from "../../api/records/descriptors.js";
import { Button } from "../../parts/button/button.js";
import { Icon } from "../../parts/button/icon.js";
import { Choice } from "../../parts/form/choice.js";
import { Popover } from "../../parts/overlay/popover.js";
import "../../parts/page/table.css";
import { isPublic } from "../../rules/public.js";
import RuleList from "../../rules/rule-list.js";
import { enRights } from "../../text/en/operators/accounts.js";
import { enRules } from "../../text/en/operators/rules.js";
import { listed } from "../../text/format.js";
import { ruledRoles } from "./roles.js";

const text = enRights;

/** Represents callers without a token; no role has this name. */
const visitor = publicWord;

const actions = ["list", "get", "stats", "create", "update", "delete"] as const;

/** The permissions of a role: a table of resources and actions, with the fields that have their own rules. */
export function Rights() {
  const { resources } = useSession();
  const [params, setParams] = useSearchParams();
  const roles = ruledRoles(resources);
  const chosen = params.get("role") ?? roles[0] ?? "";
  const known = ["", visitor, ...roles];
  const role = known.includes(chosen) ? chosen : "";
  return (
    <>
      <div className="tools">
        <Choice
          label={text.role}
          value={role}
          options={[
            ...roles.map((one) => ({ value: one, label: one })),
            { value: "", label: text.noRole },
            ...(resources.some(isPublic) ? [{ value: visitor, label: text.withoutSignIn }] : []),
          ]}
          onChange={(next) => setParams({ role: next }, { replace: true })}
        />
        <p className="small muted grow about-rights">{text.intro}</p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys as well */}
      <section className="table-box rights" aria-label={text.table} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{text.resource}</th>
              {actions.map((action) => (
                <th key={action} scope="col">
                  {text.actions[action]}
                </th>
              ))}
              <th scope="col">{text.fields}</th>
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => (
              <tr key={resource.name}>
                <th scope="row">
                  <Rules resource={resource} />
                </th>
                {actions.map((action) => (
                  <td key={action}>
                    <Right value={rightOf(resource.access?.[action], role)} />
                  </td>
                ))}
                <td className="small muted">{closedFields(resource, role)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** What a rule allows a role: all records, some, its own, or none. */
type RightValue = "all" | "some" | "own" | "none";

function rightOf(rule: Rule | undefined, role: string): RightValue {
  if (rule === undefined) return "all";
  const isMeant = (who: string) =>
    who === publicWord || (role !== visitor && (who === signedInWord || who === role));
  const entries = entriesOf(rule).filter((entry) => {
    const who = whoOf(entry);
    return isOwnerWord(who) ? role !== visitor : isMeant(who);
  });
  if (entries.some((entry) => typeof entry === "string" && isMeant(entry))) return "all";
  if (entries.some((entry) => typeof entry !== "string")) return "some";
  return entries.length > 0 ? "own" : "none";
}

/** In a field's rules, the word alone means that there is no rule; a list that contains the word is a rule. */
function fieldRight(rule: Rule | undefined, role: string): RightValue {
  return rule === signedInWord ? "all" : rightOf(rule, role);
}

/** The name of a resource, which opens a description of its rules. */
function Rules({ resource }: { readonly resource: Resource }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label={enRules.title}
      isOpen={isOpen}
      onOpenChange={setOpen}
      button={
        <Button look="quiet" size="small" className="rules-of">
          {resource.label}
        </Button>
      }
    >
      <RuleList resource={resource} />
    </Popover>
  );
}

function Right({ value }: { readonly value: RightValue }) {
  if (value === "own" || value === "some") return <span className="tag">{text[value]}</span>;
  return (
    <span className={value === "all" ? "" : "muted"}>
      {value === "all" ? <Icon name="check" /> : <span aria-hidden="true">–</span>}
      <span className="hidden">{value === "all" ? text.yes : text.no}</span>
    </span>
  );
}

/** The fields that the role may not read or write, although it may read or write the record. */
function closedFields({ fields }: Resource, role: string): string {
  const named = fields.flatMap((field) => {
    const { access } = field;
    if (access === undefined) return [];
    const [reads, writes] = [fieldRight(access.read, role), fieldRight(access.write, role)];
    if (reads === "none") return [text.hidden(labelOf(field))];
    if (writes === "none") return [text.readOnly(labelOf(field))];
    return reads === "own" || writes === "own" ? [text.ofOwn(labelOf(field))] : [];
  });
  return listed(named, "and");
}
