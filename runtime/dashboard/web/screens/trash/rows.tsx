import type { Resource } from "../../api/client/types.js";
import { titleOf } from "../../api/records/descriptors.js";
import type { DeletedRow } from "../../api/records/trash.js";
import { exactTime, relative } from "../../text/dates.js";
import { enTrash } from "../../text/en/bulk.js";
import "../../parts/page/table.css";

const text = enTrash;

export interface TrashRowsProps {
  readonly resource: Resource;
  readonly rows: readonly DeletedRow[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** Deleted records, each with who deleted it and when. */
export function TrashRows({ resource, rows, selected, onSelect }: TrashRowsProps) {
  const areAll = rows.every(({ id }) => selected.has(id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table-box" aria-label={text.title(resource.label)} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label={text.selectAll}
                checked={areAll}
                onChange={() => onSelect(areAll ? new Set() : new Set(rows.map(({ id }) => id)))}
              />
            </th>
            <th scope="col">{text.name}</th>
            <th scope="col">{text.by}</th>
            <th scope="col">{text.at}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const title = titleOf(resource, row);
            return (
              <tr key={row.id}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={text.select(title)}
                    checked={selected.has(row.id)}
                    onChange={() => toggle(row.id)}
                  />
                </td>
                <td className="cut">
                  <bdi>{title}</bdi>
                </td>
                <td className="cut">
                  <bdi>{row.deletedBy?.name ?? text.unknown}</bdi>
                </td>
                <td className="muted">
                  <time dateTime={row.deletedAt} title={exactTime(row.deletedAt)}>
                    {relative(row.deletedAt)}
                  </time>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
