import { useState } from "react";
import type { Resource } from "../../../api/client/types.js";
import { may } from "../../../api/records/descriptors.js";
import { type Total, totals } from "../../../browser/address/list-address.js";
import { type GroupChoice, groupChoices } from "../../../kinds/filter/list-groups.js";
import { Button } from "../../../parts/button/button.js";
import { Choice } from "../../../parts/form/choice.js";
import { Popover } from "../../../parts/overlay/popover.js";
import { enTotals } from "../../../text/en/lists/totals.js";
import type { ListState } from "../list-state.js";

const text = enTotals;

/** Chooses what the list is grouped by, and the total of its columns; both are part of its address. */
export function TotalsChoices({
  resource,
  state: { listing, ask },
}: {
  readonly resource: Resource;
  readonly state: ListState;
}) {
  const [isOpen, setOpen] = useState(false);
  if (!may(resource, "stats")) return null;
  const choices = groupChoices(resource);
  const [first = "", second = ""] = listing.by;
  const field = choices.find(({ key }) => key === first)?.field.name;
  const others = choices.filter((one) => one.field.name !== field);
  const groupBy = (...keys: readonly string[]) => {
    const known = keys.flatMap((key) => choices.find((one) => one.key === key) ?? []);
    const isTwice = known[0]?.field.name === known[1]?.field.name;
    ask({ by: known.slice(0, isTwice ? 1 : 2).map(({ key }) => key) });
  };
  return (
    <Popover
      label={text.title}
      isOpen={isOpen}
      onOpenChange={setOpen}
      button={
        <Button look="quiet" size="small" icon="table">
          {text.button}
        </Button>
      }
    >
      <div className="stack near">
        <Choice
          label={text.groupBy}
          value={first}
          options={optionsOf(choices)}
          onChange={(key) => groupBy(key, second)}
        />
        {first === "" ? null : (
          <Choice
            label={text.thenBy}
            value={second}
            options={optionsOf(others)}
            onChange={(key) => groupBy(first, key)}
          />
        )}
        <Choice
          label={text.total}
          value={listing.total ?? ""}
          options={[
            { value: "", label: text.nothing },
            ...totals.map((total) => ({ value: total, label: text.totals[total] })),
          ]}
          onChange={(total) => ask({ total: total === "" ? null : (total as Total) })}
        />
      </div>
    </Popover>
  );
}

function optionsOf(choices: readonly GroupChoice[]) {
  return [
    { value: "", label: text.nothing },
    ...choices.map(({ key, label }) => ({ value: key, label })),
  ];
}
