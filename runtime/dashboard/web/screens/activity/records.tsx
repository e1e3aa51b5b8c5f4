import { Link } from "wouter";
import { type RecordActivity, sinceParams } from "../../api/changes/activity.js";
import { listAddress, listPath } from "../../api/records/descriptors.js";
import { enActivity } from "../../text/en/operators/activity.js";
import { count } from "../../text/format.js";
import { type Answer, Panel } from "./panel.js";

const text = enActivity;

/** The numbers of new, changed and deleted records, with links to lists of them. */
export function RecordPanel({
  answer,
  since,
}: {
  readonly answer: Answer<readonly RecordActivity[]>;
  readonly since: string;
}) {
  return (
    <Panel title={text.records} answer={answer}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="body muted">{text.noRecords}</p>
        ) : (
          <table className="table" aria-label={text.records}>
            <thead>
              <tr>
                <th scope="col">{text.resource}</th>
                {[text.created, text.changed, text.deleted].map((label) => (
                  <th key={label} scope="col" className="end">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ resource, created, changed, deleted }) => {
                const params = sinceParams(resource, since);
                const pathOf = (one: Readonly<Record<string, string>> | null) =>
                  listAddress(resource, new URLSearchParams(one ?? {}).toString());
                return (
                  <tr key={resource.name}>
                    <th scope="row">
                      <bdi>{resource.label}</bdi>
                    </th>
                    <Figure
                      many={created}
                      href={pathOf(params.created)}
                      label={[text.created, resource.label]}
                    />
                    <Figure
                      many={changed}
                      href={pathOf(params.changed)}
                      label={[text.changed, resource.label]}
                    />
                    <Figure
                      many={deleted}
                      href={`${listPath(resource)}/trash`}
                      label={[text.deleted, resource.label]}
                    />
                  </tr>
                );
              })}
            </tbody>
          </table>
        )
      }
    </Panel>
  );
}

function Figure({
  many,
  href,
  label: [column, label],
}: {
  readonly many: number | null;
  readonly href: string;
  /** The column, and the resource. */
  readonly label: readonly [string, string];
}) {
  if (many === null || many === 0) {
    return <td className="end muted">{many === null ? "" : count(many)}</td>;
  }
  return (
    <td className="end">
      <Link href={href} aria-label={text.listOf(column, label, count(many))}>
        {count(many)}
      </Link>
    </td>
  );
}
