import type { Field, Row } from "../../api/client/types.js";
import { labelOf } from "../../api/records/descriptors.js";
import { controlOf } from "../../kinds/input/inputs.js";
import { enConflict, enMerging } from "../../text/en/conflict.js";
import { typedOf } from "../state.js";
import "./sides.css";

const text = enMerging;

export interface Side {
  readonly record: Row;
  readonly name: string;
}

/** Shows the values in which two records differ, each with a choice. */
export function Values({
  fields,
  sides,
  chosen,
  onChoose,
}: {
  readonly fields: readonly Field[];
  readonly sides: readonly Side[];
  /** Returns the id of the record whose value is chosen for a field. */
  readonly chosen: (field: Field) => string;
  readonly onChoose: (field: Field, id: string) => void;
}) {
  if (fields.length === 0) return <p className="muted">{text.equal}</p>;
  return (
    <table className="merge two" aria-label={text.values}>
      <thead>
        <tr>
          <th scope="col">{enConflict.field}</th>
          {sides.map(({ record, name }) => (
            <th key={record.id} scope="col">
              <bdi>{name}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const Shown = controlOf(field).shown;
          return (
            <tr key={field.name}>
              <th scope="row">
                <bdi>{labelOf(field)}</bdi>
              </th>
              {sides.map(({ record, name }) => (
                <td key={record.id} data-chosen={chosen(field) === record.id || undefined}>
                  <bdi className="side-name small strong">{name}</bdi>
                  <label className="pick">
                    <input
                      className="radio"
                      type="radio"
                      name={`merging-${field.name}`}
                      aria-label={`${labelOf(field)}: ${name}`}
                      checked={chosen(field) === record.id}
                      onChange={() => onChoose(field, record.id)}
                    />
                    <span className="grow">
                      <Shown field={field} typed={typedOf([field], record)[field.name] ?? ""} />
                    </span>
                  </label>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
