import type { Field, Resource, Row } from "../../../../api/client/types.js";
import { controlOf } from "../../../../kinds/input/inputs.js";
import { kindOf } from "../../../../kinds/kinds.js";
import { Button } from "../../../../parts/button/button.js";
import { Tag } from "../../../../parts/page/page.js";
import { enRecord } from "../../../../text/en/record.js";
import type { Line } from "./state.js";

const text = enRecord;

/** A line as it will be saved, and its actions. */
export function LineRow({
  child,
  columns,
  row,
  line,
  title,
  onEdit,
  onRemove,
  onRestore,
}: {
  readonly child: Resource;
  readonly columns: readonly Field[];
  /** The stored record; null for a new one. */
  readonly row: Row | null;
  /** The record's unsaved changes. */
  readonly line: Line | null;
  readonly title: string;
  readonly onEdit: (() => void) | null;
  readonly onRemove: (() => void) | null;
  readonly onRestore: () => void;
}) {
  const isRemoved = line?.isRemoved === true;
  return (
    <>
      <tr data-removed={isRemoved || undefined}>
        {columns.map((field) => (
          <td key={field.name} className={kindOf(field).isAtEnd ? "end cut" : "cut"}>
            <LineValue child={child} field={field} row={row} line={line} />
          </td>
        ))}
        <td>
          <span className="row near acts">
            {line === null ? null : (
              <Tag look={isRemoved ? "bad" : "warn"}>
                {isRemoved ? text.removedLine : row === null ? text.newLine : text.changedLine}
              </Tag>
            )}
            {isRemoved ? (
              <Button size="small" label={text.keepLine(title)} onPress={onRestore}>
                {text.keep}
              </Button>
            ) : (
              <>
                {onEdit === null ? null : (
                  <Button size="small" look="quiet" label={text.editLine(title)} onPress={onEdit}>
                    {text.editShort}
                  </Button>
                )}
                {onRemove === null ? null : (
                  <Button
                    size="small"
                    look="quiet"
                    icon="close"
                    label={text.removeLine(title)}
                    onPress={onRemove}
                  />
                )}
              </>
            )}
          </span>
        </td>
      </tr>
      {line === null || line.problem === null ? null : (
        <tr>
          <td colSpan={columns.length + 1} className="error">
            <bdi>{line.problem}</bdi>
          </td>
        </tr>
      )}
    </>
  );
}

/** A value as it will be saved. */
function LineValue({
  child,
  field,
  row,
  line,
}: {
  readonly child: Resource;
  readonly field: Field;
  readonly row: Row | null;
  readonly line: Line | null;
}) {
  const { cell: Cell, form } = kindOf(field);
  const typed = line?.mine[field.name] ?? "";
  const stored = row === null ? "" : form.typed(row[field.name], field);
  if (row !== null && (line === null || line.isRemoved || form.compare(field, stored, typed))) {
    return <Cell field={field} row={row} resource={child} />;
  }
  const Shown = controlOf(field).shown;
  return <Shown field={field} typed={typed} />;
}
