import { useId, useState } from "react";
import type { Resource } from "../../../api/client/types.js";
import { Button } from "../../../parts/button/button.js";
import "../../../parts/status/chip.css";
import type { Condition } from "../../../browser/address/list-address.js";
import { Icon } from "../../../parts/button/icon.js";
import { Popover } from "../../../parts/overlay/popover.js";
import { enList } from "../../../text/en/list.js";
import { ConditionWords } from "./condition-words.js";
import { withCondition } from "./conditions.js";
import { FilterEditor } from "./filter-editor.js";

const text = enList;

export interface ChipsProps {
  readonly resource: Resource;
  readonly conditions: readonly Condition[];
  readonly onChange: (conditions: readonly Condition[]) => void;
  readonly isAdding: boolean;
  readonly onAdding: (isAdding: boolean) => void;
}

/** The filters of a list, each with buttons to edit and remove it. */
export function Chips({ resource, conditions, onChange, isAdding, onAdding }: ChipsProps) {
  return (
    <>
      {conditions.length === 0 ? null : (
        <ul className="chips" aria-label={text.filters}>
          {conditions.map((condition) => (
            <li key={`${condition.field} ${condition.operator}`}>
              <Chip
                resource={resource}
                condition={condition}
                onChange={(next) => onChange(withCondition(conditions, condition, next))}
                onRemove={() => onChange(conditions.filter((one) => one !== condition))}
              />
            </li>
          ))}
        </ul>
      )}
      <Popover
        label={text.filter}
        isOpen={isAdding}
        onOpenChange={onAdding}
        button={
          <Button look="quiet" size="small" icon="plus">
            {text.filter}
          </Button>
        }
      >
        <FilterEditor
          resource={resource}
          condition={null}
          onApply={(next) => {
            onChange(withCondition(conditions, null, next));
            onAdding(false);
          }}
        />
      </Popover>
    </>
  );
}

function Chip({
  resource,
  condition,
  onChange,
  onRemove,
}: {
  readonly resource: Resource;
  readonly condition: Condition;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <span className="chip">
      <Popover
        label={text.filter}
        isOpen={isOpen}
        onOpenChange={setOpen}
        button={
          <Button look="quiet" size="small">
            <span className="cut" id={id}>
              <ConditionWords resource={resource} condition={condition} />
            </span>
          </Button>
        }
      >
        <FilterEditor
          resource={resource}
          condition={condition}
          onApply={(next) => {
            setOpen(false);
            onChange(next);
          }}
          onRemove={onRemove}
        />
      </Popover>
      <button type="button" className="x" aria-labelledby={`${id}x ${id}`} onClick={onRemove}>
        <span id={`${id}x`} className="hidden">
          {text.removeFilter}
        </span>
        <Icon name="close" />
      </button>
    </span>
  );
}
