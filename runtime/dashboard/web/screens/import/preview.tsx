import { useId } from "react";
import type { Field, Resource } from "../../api/client/types.js";
import { FieldHeads } from "../../kinds/cells/field-heads.js";
import { kindOf } from "../../kinds/kinds.js";
import { en } from "../../text/en/en.js";
import { enImport } from "../../text/en/import.js";
import type { Found, Operation, Values } from "./check.js";
import { importFields } from "./mapping.js";
import "../../parts/page/table.css";

const text = enImport;
const mostShown = 5;

/** The first rows as they will be sent. */
export function Preview({
  resource,
  operations,
  found,
}: {
  readonly resource: Resource;
  readonly operations: readonly Operation[];
  /** The records that link cells name. */
  readonly found: Found;
}) {
  const id = useId();
  const rows = operations.slice(0, mostShown).map(({ values }) => values);
  const fields = importFields(resource).filter(({ name }) => rows.some((row) => name in row));
  if (rows.length === 0) return null;
  return (
    <div className="stack near">
      <h3 id={id}>{text.preview}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="table-box card" aria-labelledby={id} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <FieldHeads fields={fields} />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other identity
              <tr key={at}>
                {fields.map((field) => (
                  <td key={field.name} className={kindOf(field).isAtEnd ? "end cut" : "cut"}>
                    {row[field.name] === null || row[field.name] === undefined ? (
                      <>
                        <span aria-hidden="true">–</span>
                        <span className="hidden">{en.common.empty}</span>
                      </>
                    ) : (
                      <bdi>
                        {kindOf(field).print(field, row[field.name], nameOf(found, field, row))}
                      </bdi>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** The text by which the file refers to a linked record; null if the file contains the id. */
function nameOf(found: Found, { name }: Field, row: Values): string | null {
  for (const [written, id] of found[name] ?? []) if (id === row[name]) return written;
  return null;
}
