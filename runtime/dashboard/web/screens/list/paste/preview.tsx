import { useSession } from "../../../api/account/session.js";
import type { Field, Row } from "../../../api/client/types.js";
import { labelOf, linked, titleOf } from "../../../api/records/descriptors.js";
import { kindOf } from "../../../kinds/kinds.js";
import { enPaste } from "../../../text/en/bulk.js";
import { en } from "../../../text/en/en.js";
import type { Shown } from "../rows/rows.js";
import type { PastedCell, PastedRow } from "./pasted.js";

const text = enPaste;

/** The current and the new value of each changed cell. */
export function Preview({
  shown: { resource, editable },
  fields,
  pasted,
}: {
  readonly shown: Shown;
  readonly fields: readonly Field[];
  readonly pasted: readonly PastedRow[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="table-box pasted" aria-label={text.preview} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{resource.singular}</th>
            {fields.map((field) => (
              <th key={field.name} scope="col">
                <bdi>{labelOf(field)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pasted.map(({ row, cells }) => (
            <tr key={row.id}>
              <th scope="row" className="cut">
                <bdi>{titleOf(resource, row)}</bdi>
              </th>
              {cells.map((cell, at) => {
                const field = fields[at];
                return field === undefined ? null : (
                  <td key={field.name}>
                    <Change
                      field={field}
                      row={row}
                      cell={cell}
                      isFixed={!editable.has(field.name)}
                    />
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

function Change({
  field,
  row,
  cell,
  isFixed,
}: {
  readonly field: Field;
  readonly row: Row;
  readonly cell: PastedCell;
  readonly isFixed: boolean;
}) {
  const { resources } = useSession();
  const target = resources.find(({ name }) => name === field.resource);
  const record = linked(field, row);
  const { print } = kindOf(field);
  const now = print(field, row[field.name], record === null ? null : titleOf(target, record));
  if (isFixed) return <bdi className="muted">{now}</bdi>;
  if (cell.kind === "problem") return <bdi className="error">{cell.written}</bdi>;
  if ((row[field.name] ?? null) === cell.value) return <bdi>{now}</bdi>;
  const next = print(field, cell.value, target === undefined ? null : cell.written);
  return (
    <span className="row near">
      {now === "" ? null : (
        <del>
          <bdi>{now}</bdi>
        </del>
      )}
      <ins>
        <bdi>{next === "" ? en.common.empty : next}</bdi>
      </ins>
    </span>
  );
}
