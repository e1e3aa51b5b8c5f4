import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../../../api/account/session.js";
import { sentence } from "../../../../api/client/errors.js";
import type { Field, Resource, Row } from "../../../../api/client/types.js";
import { newKey } from "../../../../api/client/writes.js";
import {
  creationKey,
  linked,
  may,
  mayWith,
  recordPath,
  someRole,
  thing,
  titleOf,
} from "../../../../api/records/descriptors.js";
import { listQuery } from "../../../../api/records/queries.js";
import { type Inverse, readRecord } from "../../../../api/records/records.js";
import { printParams } from "../../../../browser/address/list-address.js";
import { startOf, typedOf } from "../../../../form/state.js";
import { FieldHeads } from "../../../../kinds/cells/field-heads.js";
import { kindOf } from "../../../../kinds/kinds.js";
import { shownParams } from "../../../../kinds/query/list-parameters.js";
import { Button } from "../../../../parts/button/button.js";
import { useToast } from "../../../../parts/overlay/toast.js";
import { Failure, Skeleton } from "../../../../parts/page/page.js";
import "../../../../parts/page/table.css";
import { enRecord } from "../../../../text/en/record.js";
import { newFields, writableFields } from "../new-fields.js";
import { LineDrawer } from "./line-drawer.js";
import { LineRow } from "./line-row.js";
import "./lines.css";
import { type Line, mostLines } from "./state.js";
import type { Lines } from "./use-lines.js";

const text = enRecord;
/** Maximum number of lines displayed below a record; their tab has all of them. */
const mostShown = 25;
const maxColumns = 4;

export interface LineRowsProps {
  readonly resource: Resource;
  /** The id of the form's record; null while it is new. */
  readonly id: string | null;
  readonly inverse: Inverse;
  readonly lines: Lines;
}

/**
 * The records that belong to a record, in rows below its form: they are added, edited and removed there, and saved with
 * it.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one table, whose rows share its state
export function LineRows({ resource, id, inverse, lines }: LineRowsProps) {
  const { user, resources } = useSession();
  const acting = someRole(user.id);
  const toast = useToast();
  const { resource: child, field: link } = inverse;
  const [opened, setOpened] = useState<{ readonly line: Line; readonly title: string } | null>(
    null,
  );
  const fields = newFields(child).filter(({ name }) => name !== link.name);
  const edited = writableFields(child).filter(
    ({ name, readable }) => name !== link.name && readable !== false,
  );
  const columns = columnsOf(child, fields);
  const query = printParams([
    [`filter[${link.name}]`, id ?? ""],
    ["perPage", String(mostShown)],
    ["sort", creationKey(child)],
    ...shownParams(child, resources, columns),
  ]);
  const list = useQuery({ ...listQuery(user.id, child.name, query), enabled: id !== null });
  const pending = lines.pending.filter((line) => line.child === child && line.link === link);
  const rows = list.data?.data ?? [];
  const total = list.data?.meta.total ?? 0;
  const edit = async (row: Row) => {
    const known = pending.find(({ key }) => key === row.id);
    const title = titleOf(child, row);
    if (known !== undefined) return setOpened({ line: known, title });
    try {
      const base = await readRecord(child.name, row.id);
      const mine = typedOf(edited, base.record);
      setOpened({
        title,
        line: { ...lineOf(row.id), fields: edited, base, mine, links: linksIn(edited, row) },
      });
    } catch (error) {
      toast(sentence(error));
    }
  };
  const remove = async (row: Row) => {
    try {
      const base = await readRecord(child.name, row.id);
      lines.act({ kind: "removed", line: { ...lineOf(row.id), base } });
    } catch (error) {
      toast(sentence(error));
    }
  };
  const lineOf = (key: string): Line => ({
    key,
    child,
    link,
    fields,
    base: null,
    mine: startOf(fields),
    isRemoved: false,
    links: {},
    problem: null,
  });
  const isFull = lines.pending.length >= mostLines;
  return (
    <section className="stack lines" aria-label={child.label}>
      <div className="row spread">
        <h2>
          <bdi>{child.label}</bdi>
        </h2>
        {may(child, "create") ? (
          <Button
            size="small"
            icon="plus"
            onPress={() => setOpened({ line: lineOf(newKey()), title: text.new(thing(child)) })}
            {...(isFull ? { barred: text.fullLines(mostLines) } : {})}
          >
            {text.addRelated(thing(child))}
          </Button>
        ) : null}
      </div>
      {id !== null && list.isPending ? <Skeleton lines={2} /> : null}
      {list.isError ? (
        <Failure text={sentence(list.error)} onRetry={() => void list.refetch()} />
      ) : null}
      {rows.length + pending.length === 0 ? (
        list.isFetching || list.isError ? null : (
          <p className="muted">{text.noRelated(child.label)}</p>
        )
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className="table-box" aria-label={text.rowsOf(child.label)} tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <FieldHeads fields={columns} />
                <th scope="col">
                  <span className="hidden">{text.more}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <LineRow
                  key={row.id}
                  child={child}
                  columns={columns}
                  row={row}
                  line={pending.find(({ key }) => key === row.id) ?? null}
                  title={titleOf(child, row)}
                  onEdit={
                    mayWith({ resource: child, record: row }, "update", acting) && !isFull
                      ? () => void edit(row)
                      : null
                  }
                  onRemove={
                    mayWith({ resource: child, record: row }, "delete", acting) && !isFull
                      ? () => void remove(row)
                      : null
                  }
                  onRestore={() => lines.act({ kind: "restored", key: row.id })}
                />
              ))}
              {pending
                .filter(({ base }) => base === null)
                .map((line, at) => (
                  <LineRow
                    key={line.key}
                    child={child}
                    columns={columns}
                    row={null}
                    line={line}
                    title={text.newNumbered(thing(child), at + 1)}
                    onEdit={() => setOpened({ line, title: text.new(thing(child)) })}
                    onRemove={() => lines.act({ kind: "removed", line })}
                    onRestore={() => {}}
                  />
                ))}
            </tbody>
          </table>
        </section>
      )}
      {id === null || total <= mostShown ? null : (
        <Link className="small" href={`${recordPath(resource.name, id)}/${inverse.name}`}>
          {text.allRelated(total)}
        </Link>
      )}
      {opened === null ? null : (
        <LineDrawer
          line={opened.line}
          title={opened.title}
          parent={thing(resource)}
          links={opened.line.links}
          onDone={(line) => lines.act({ kind: "put", line })}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}

function columnsOf(child: Resource, fields: readonly Field[]): readonly Field[] {
  const readable = fields.filter((field) => field.readable !== false && kindOf(field).isShown);
  const chosen = (child.list ?? []).flatMap((name) =>
    readable.filter((field) => field.name === name),
  );
  return (chosen.length === 0 ? readable : chosen).slice(0, maxColumns);
}

function linksIn(fields: readonly Field[], row: Row): Readonly<Record<string, Row | null>> {
  return Object.fromEntries(fields.map((field) => [field.name, linked(field, row)]));
}
