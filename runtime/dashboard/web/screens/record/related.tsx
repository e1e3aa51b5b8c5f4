import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { isStatus, sentence } from "../../api/client/errors.js";
import type { Field, Resource, Row } from "../../api/client/types.js";
import {
  listAddress,
  listPath,
  may,
  readableFields,
  recordPath,
  thing,
  titleField,
  titleOf,
} from "../../api/records/descriptors.js";
import { listQuery } from "../../api/records/queries.js";
import { inversesOf } from "../../api/records/records.js";
import { printParams } from "../../browser/address/list-address.js";
import { FieldHeads } from "../../kinds/cells/field-heads.js";
import { kindOf } from "../../kinds/kinds.js";
import { shownParams } from "../../kinds/query/list-parameters.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { Pager } from "../../parts/page/pager.js";
import { en } from "../../text/en/en.js";
import { enList } from "../../text/en/list.js";
import { enRecord } from "../../text/en/record.js";
import "../../parts/page/table.css";

const text = enRecord;
const perPage = 25;
/** Maximum number of columns on a record's page. */
const maxColumns = 6;

export interface RelatedProps {
  readonly head: ReactNode;
  readonly resource: Resource;
  readonly record: Row;
  readonly tab: string;
}

/** The list of the records that link to this one. */
export function Related({ head, resource, record, tab }: RelatedProps) {
  const { resources } = useSession();
  const inverse = inversesOf(resources, resource).find(({ name }) => name === tab);
  return (
    <div className="scroller">
      {head}
      {inverse === undefined ? (
        <div className="content">
          <p className="muted">{en.missing.text}</p>
        </div>
      ) : (
        <List key={tab} resource={inverse.resource} field={inverse.field} id={record.id} />
      )}
    </div>
  );
}

function List({
  resource,
  field,
  id,
}: {
  readonly resource: Resource;
  readonly field: Field;
  readonly id: string;
}) {
  const { user, resources } = useSession();
  const [page, setPage] = useState(1);
  const columns = columnsOf(resource, field);
  const query = printParams([
    [`filter[${field.name}]`, id],
    ["perPage", String(perPage)],
    ...(page === 1 ? [] : [["page", String(page)] as const]),
    ...shownParams(resource, resources, columns),
  ]);
  const list = useQuery(listQuery(user.id, resource.name, query));
  const rows = list.data?.data ?? [];
  return (
    <>
      <div className="related-tools">
        {may(resource, "create") && field.writable !== false ? (
          <Link
            className="button small"
            href={`${listPath(resource)}/new?${printParams([[field.name, id]])}`}
          >
            {text.addRelated(thing(resource))}
          </Link>
        ) : null}
        <Link
          className="small"
          href={listAddress(resource, printParams([[`filter[${field.name}]`, id]]))}
        >
          {text.asList}
        </Link>
      </div>
      {list.isPending ? (
        <div className="content">
          <Skeleton lines={6} />
        </div>
      ) : null}
      {list.isError ? (
        <div className="content">
          {isStatus(list.error, 403) ? (
            <p className="muted">{enList.forbidden(resource.label)}</p>
          ) : (
            <Failure text={sentence(list.error)} onRetry={() => void list.refetch()} />
          )}
        </div>
      ) : null}
      {list.data !== undefined && rows.length === 0 ? (
        <div className="content">
          <p className="muted">{text.noRelated(resource.label)}</p>
        </div>
      ) : null}
      {rows.length === 0 ? null : (
        <>
          <Table resource={resource} columns={columns} rows={rows} />
          <Pager
            page={page}
            perPage={perPage}
            total={list.data?.meta.total ?? 0}
            onPage={setPage}
          />
        </>
      )}
    </>
  );
}

/** The columns: the descriptor's `list`, or the first fields; never the link to this record. */
function columnsOf(resource: Resource, link: Field): readonly Field[] {
  const fields = readableFields(resource).filter(({ name }) => name !== link.name);
  const chosen = (resource.list ?? []).flatMap((name) =>
    fields.filter((field) => field.name === name),
  );
  const usual = fields.filter((field) => kindOf(field).isShown);
  const title = titleField(resource);
  const rest = (chosen.length === 0 ? usual : chosen).filter(({ name }) => name !== title?.name);
  const first = title === null || title.name === link.name ? [] : [title];
  return [...first, ...rest].slice(0, maxColumns);
}

function Table({
  resource,
  columns,
  rows,
}: {
  readonly resource: Resource;
  readonly columns: readonly Field[];
  readonly rows: readonly Row[];
}) {
  const title = titleField(resource)?.name;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table-box" aria-label={resource.label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns[0]?.name === title ? null : <th scope="col">{resource.singular}</th>}
            <FieldHeads fields={columns} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns[0]?.name === title ? null : (
                <td className="cut">
                  <Opener resource={resource} row={row} />
                </td>
              )}
              {columns.map((field, at) => {
                const Cell = kindOf(field).cell;
                return (
                  <td key={field.name} className={kindOf(field).isAtEnd ? "end cut" : "cut"}>
                    {at === 0 && field.name === title ? (
                      <Opener resource={resource} row={row} />
                    ) : (
                      <Cell field={field} row={row} resource={resource} />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Opener({ resource, row }: { readonly resource: Resource; readonly row: Row }) {
  return (
    <Link className="title" href={recordPath(resource.name, row.id)}>
      <bdi>{titleOf(resource, row)}</bdi>
    </Link>
  );
}
