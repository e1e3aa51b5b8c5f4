import {
  entriesOf,
  isOwnerWord,
  memberRoleOf,
  whoOf,
} from "../../../runtime/values/access-rule.js";
import { usualId } from "../../../runtime/values/schema/id-types.js";
import { sqlTable } from "../../../runtime/values/sql/table-name.js";
import { sqlIdentifier, sqlLiteral } from "../../../runtime/values/sql/text.js";
import type { Model, OwnerLink, Resource, Team } from "../../model/model.js";
import { countedOwner } from "../../schema/tables/tally.js";
import type { Import } from "../../text/imports.js";
import type { Layout } from "../../text/layout.js";
import {
  array,
  arrow,
  literal,
  object,
  place,
  property,
  stringLiteral,
  tallObject,
  templateText,
} from "../../text/typescript.js";
import { inSentence, parentIn } from "../deletion.js";
import { loggedKey } from "./id.js";

/**
 * Returns the owner of a record: the link to it, the path from there to the owner, and the lookup of a group's members.
 * If the record is a group, the link is its id. `names` are the names of other tables in the file.
 */
export function ownerProperty(
  resource: Resource,
  model: Model,
  names: ReadonlyMap<string, string>,
): readonly Layout[] {
  const { owner, team, table } = resource;
  if (owner === null) return [];
  const [first = { field: "id", column: resource.id.column, target: table }, ...others] = owner;
  const link = [
    property("field", stringLiteral(first.field)),
    property("column", stringLiteral(sqlIdentifier(first.column))),
  ];
  const way =
    others.length === 0
      ? []
      : [property("leadsTo", leadsTo(first.target, others, idColumns(model)))];
  const counts = `service.owner_counts where table_name = ${sqlLiteral(table)}`;
  const counted =
    countedOwner(resource) === null ? [] : [property("counts", stringLiteral(counts))];
  const members =
    team === null ? [] : [property("team", teamLiteral(resource, team, { ...model, names }))];
  const moves = moversOf(resource, model);
  const moved = moves.length === 0 ? [] : [property("moves", array(moves))];
  const parts = [...link, ...way, ...accountType(resource), ...counted, ...members, ...moved];
  const isTall = others.length > 0 || team !== null;
  return [property("owner", isTall ? tallObject(parts) : object(parts))];
}

/** Returns the tables on the path to the owner of a resource with `changes`; memberships come last. */
function moversOf(
  { changes, owner, team }: Resource,
  { resources }: Pick<Model, "resources">,
): readonly Layout[] {
  if (changes === null || owner === null) return [];
  const named = (table: string) => {
    const { name, id = usualId } = resources.find((one) => one.table === table) ?? { name: table };
    const keys = Object.entries(loggedKey(id)).map(([key, value]) => property(key, literal(value)));
    return [
      property("resource", stringLiteral(name)),
      property("table", stringLiteral(sqlTable(table))),
      ...keys,
    ];
  };
  const idOf = idColumns({ resources });
  const column = (name: string) => property("column", stringLiteral(sqlIdentifier(name)));
  const links = owner.slice(1).map((link, at): Layout => {
    const others = owner.slice(at + 2);
    const way =
      others.length === 0 ? [] : [property("leadsTo", leadsTo(link.target, others, idOf))];
    const parts = [...named(owner[at]?.target ?? ""), column(link.column), ...way];
    return others.length === 0 ? object(parts) : tallObject(parts);
  });
  if (team === null) return links;
  const deciding = [team.group, ...(team.role === null ? [] : [team.role])];
  const members = literal(deciding.map((field) => sqlIdentifier(field.column)));
  return [
    ...links,
    object([...named(team.table), column(team.account.column), property("members", members)]),
  ];
}

/** Returns the type of the column that identifies the account, if it is not a link. */
function accountType({ owner, team }: Resource): readonly Layout[] {
  const type = team === null ? owner?.at(-1)?.type : team.account.type;
  return type === "text" ? [property("account", stringLiteral("text"))] : [];
}

/** Returns a function that returns a table's id column as SQL. */
function idColumns({ resources }: Pick<Model, "resources">): (table: string) => string {
  return (table) => {
    const id = resources.find((one) => one.table === table)?.id ?? usualId;
    return sqlIdentifier(id.column);
  };
}

/** Returns a function that returns SQL, which is true if a link to a record of `table` leads to an owner. */
function leadsTo(
  table: string,
  links: readonly OwnerLink[],
  idOf: (table: string) => string,
): string {
  const joins = links.slice(0, -1).map(({ column, target }, at) => {
    return ` join ${sqlTable(target)} as _owner${at + 2} on _owner${at + 2}.${idOf(target)} = _owner${at + 1}.${sqlIdentifier(column)}`;
  });
  const last = `_owner${links.length}.${sqlIdentifier(links.at(-1)?.column ?? "")}`;
  const from = `${sqlTable(table)} as _owner1${joins.join("")}`;
  return [
    "(link, owns) =>",
    `      \`exists (select from ${templateText(from)} where _owner1.${templateText(idOf(table))} = \${link} and \${owns(${stringLiteral(last)})})\``,
  ].join("\n");
}

function teamLiteral(
  resource: Resource,
  team: Team,
  { resources, names }: Model & { readonly names: ReadonlyMap<string, string> },
): Layout {
  const { table, group, account, role, founder, through } = team;
  const groups = `select ${sqlIdentifier(group.column)} from ${sqlTable(table)} where ${sqlIdentifier(account.column)} = `;
  const roles =
    role === null ? [] : namedRoles(resource).map((word) => roleProperty(word, role.column));
  const memberships = resources.find(({ name }) => name === through);
  const founding =
    founder === null || role === null || memberships === undefined
      ? []
      : [
          property(
            "founder",
            tallObject([
              property("table", `() => ${names.get(through)}`),
              property("shape", `${memberships.variable}Create`),
              property(
                "fields",
                literal({ group: group.field, account: account.field, role: role.field }),
              ),
              property("role", stringLiteral(founder)),
            ]),
          ),
        ];
  return tallObject([
    property("groups", arrow("account", `\`${templateText(groups)}${place("account")}\``)),
    ...(roles.length === 0 ? [] : [property("roles", object(roles))]),
    ...founding,
  ]);
}

/** SQL that is true for a membership with the role that a word such as `owner.lead` names. */
function roleProperty(word: string, column: string): Layout {
  const role = sqlLiteral(memberRoleOf(word) ?? "");
  return property(word, stringLiteral(`${sqlIdentifier(column)} = ${role}`));
}

/** Returns the words in rules that name a role of members, without duplicates. */
function namedRoles({ access, changes, trash }: Resource): readonly string[] {
  const rules = [...Object.values(access), changes?.access ?? "nobody", trash?.purge ?? "nobody"];
  const words = rules.flatMap((rule) => entriesOf(rule).map(whoOf));
  return [...new Set(words.filter((word) => isOwnerWord(word) && memberRoleOf(word) !== null))];
}

/** The import of the shape that validates the first membership of a new group. */
export function foundingShape({ team }: Resource, { resources }: Model): readonly Import[] {
  const through = resources.find(({ name }) => name === team?.through);
  if (through === undefined || team?.founder == null) return [];
  return [{ from: `../${through.name}/validation.js`, names: [`${through.variable}Create`] }];
}

/** For memberships: the groups that must keep a member with the founder's role. */
export function foundersProperty({ name }: Resource, model: Model): readonly Layout[] {
  const founders = foundersOf(name, model);
  return founders.length === 0 ? [] : [property("founders", literal(founders))];
}

/** Returns the memberships that are deleted with an account and belong to groups that must keep a founder. */
export function accountMemberships(model: Model) {
  return model.accounts.cascades.flatMap(({ resource, table }) => {
    const founders = foundersOf(resource, model);
    return founders.length === 0 ? [] : [{ name: sqlTable(table), founders, ids: parentIn(table) }];
  });
}

function foundersOf(through: string, { resources }: Model) {
  return resources.flatMap(({ team, table, singular }) => {
    if (team?.through !== through || team.founder === null || team.role === null) return [];
    return [
      {
        groups: sqlTable(table),
        singular: inSentence(singular),
        group: sqlIdentifier(team.group.column),
        column: sqlIdentifier(team.role.column),
        role: team.founder,
      },
    ];
  });
}
