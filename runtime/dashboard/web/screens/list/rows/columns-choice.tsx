import { useState } from "react";
import type { Resource } from "../../../api/client/types.js";
import { labelOf, readableFields } from "../../../api/records/descriptors.js";
import { Button } from "../../../parts/button/button.js";
import { Popover } from "../../../parts/overlay/popover.js";
import { enList } from "../../../text/en/list.js";
import type { Columns, Layout } from "./columns.js";

const text = enList;

export interface ColumnsChoiceProps {
  readonly resource: Resource;
  readonly columns: Columns;
  readonly layout: Layout;
  readonly onChange: (layout: Layout) => void;
}

/** Selects and reorders columns. Buttons are the alternative to dragging. */
export function ColumnsChoice({ resource, columns, layout, onChange }: ColumnsChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = [...(columns.picture === null ? [] : [columns.picture]), ...columns.rest];
  const names = shown.map(({ name }) => name);
  const hidden = readableFields(resource).filter(
    ({ name }) => name !== columns.title.name && !names.includes(name),
  );
  const choose = (next: readonly string[]) => onChange({ ...layout, columns: next });
  const move = (name: string, by: number) => {
    const at = names.indexOf(name);
    const others = names.filter((one) => one !== name);
    choose(others.toSpliced(at + by, 0, name));
  };
  return (
    <Popover
      label={text.columns}
      isOpen={isOpen}
      onOpenChange={setOpen}
      button={
        <Button look="quiet" size="small" icon="columns">
          {text.columns}
        </Button>
      }
    >
      <ul className="choices">
        {[...shown, ...hidden].map((field) => {
          const at = names.indexOf(field.name);
          const label = labelOf(field);
          return (
            <li key={field.name} className="row">
              <label className="option grow">
                <input
                  className="check"
                  type="checkbox"
                  checked={at >= 0}
                  onChange={({ target }) =>
                    choose(
                      target.checked
                        ? [...names, field.name]
                        : names.filter((one) => one !== field.name),
                    )
                  }
                />
                <bdi className="cut">{label}</bdi>
              </label>
              {at > 0 ? (
                <Button
                  look="quiet"
                  size="small"
                  icon="up"
                  label={text.earlier(label)}
                  onPress={() => move(field.name, -1)}
                />
              ) : null}
              {at >= 0 && at < names.length - 1 ? (
                <Button
                  look="quiet"
                  size="small"
                  icon="down"
                  label={text.later(label)}
                  onPress={() => move(field.name, 1)}
                />
              ) : null}
            </li>
          );
        })}
      </ul>
      <label className="option">
        <input
          className="check"
          type="checkbox"
          checked={layout.isCompact}
          onChange={({ target }) => onChange({ ...layout, isCompact: target.checked })}
        />
        {text.compact}
      </label>
      <div>
        <Button size="small" onPress={() => onChange({ ...layout, columns: null, widths: {} })}>
          {text.usualColumns}
        </Button>
      </div>
    </Popover>
  );
}
