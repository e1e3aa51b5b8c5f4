import { Link } from "wouter";
import type { Field, Resource, Row } from "../../api/client/types.js";
import { readableFields, recordPath, titleField, titleOf } from "../../api/records/descriptors.js";
import { createdAt } from "../../api/records/fields.js";
import { kindOf } from "../../kinds/kinds.js";

/** Records, one per line: the title and values of other fields. */
export function RecordRows({
  resource,
  rows,
  fields,
}: {
  readonly resource: Resource;
  readonly rows: readonly Row[];
  readonly fields: readonly Field[];
}) {
  return (
    <ul className="rows">
      {rows.map((row) => (
        <li key={row.id}>
          <Link className="strong cut grow" href={recordPath(resource.name, row.id)}>
            <bdi>{titleOf(resource, row)}</bdi>
          </Link>
          {fields.map((field) => {
            const { cell: Cell, isAtEnd } = kindOf(field);
            const place = field === createdAt ? "when" : isAtEnd ? "end num" : "wide-only";
            return (
              <span key={field.name} className={`cut small ${place}`}>
                <Cell field={field} row={row} resource={resource} />
              </span>
            );
          })}
        </li>
      ))}
    </ul>
  );
}

/** The first link, the first enum and the first number. */
export function usualFields(resource: Resource): readonly Field[] {
  const title = titleField(resource);
  const fields = readableFields(resource).filter((field) => field !== title);
  const link = fields.find((one) => one.resource !== undefined);
  const choice = fields.find(({ values }) => values !== undefined);
  const number = fields.find((field) => kindOf(field).isAtEnd);
  return [link, choice, number].filter((field) => field !== undefined);
}
