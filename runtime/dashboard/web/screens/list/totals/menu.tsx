import type { Resource } from "../../../api/client/types.js";
import { may } from "../../../api/records/descriptors.js";
import { type Total, totals } from "../../../browser/address/list-address.js";
import { type GroupChoice, groupChoices } from "../../../kinds/query/list-groups.js";
import { Choice } from "../../../parts/form/choice.js";
import { enTotals } from "../../../text/en/lists/totals.js";
import type { ListState } from "../list-state.js";
import { ToHome } from "./to-home.js";

const text = enTotals;

export interface TotalsMenuProps {
  readonly resource: Resource;
  readonly state: ListState;
  readonly onDone: () => void;
}

/** The grouping and totals of a list, and its blocks for the home page. Loaded on first use. */
export default function TotalsMenu(props: TotalsMenuProps) {
  const { resource, state, onDone } = props;
  return (
    <div className="stack near">
      {may(resource, "stats") ? <Totals resource={resource} state={state} /> : null}
      <ToHome resource={resource} state={state} onAdded={onDone} />
    </div>
  );
}

function Totals({ resource, state }: Omit<TotalsMenuProps, "onDone">) {
  const { listing, ask } = state;
  const choices = groupChoices(resource);
  const [first = "", second = ""] = listing.by;
  const field = choices.find(({ key }) => key === first)?.field.name;
  const others = choices.filter((one) => one.field.name !== field);
  const groupBy = (...keys: readonly string[]) => {
    const known = keys.flatMap((key) => choices.find((one) => one.key === key) ?? []);
    const isTwice = known[0]?.field.name === known[1]?.field.name;
    const by = known.slice(0, isTwice ? 1 : 2).map(({ key }) => key);
    // Groups are shown in a table.
    ask(by.length === 0 ? { by } : { by, show: null, month: null });
  };
  return (
    <>
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
    </>
  );
}

function optionsOf(choices: readonly GroupChoice[]) {
  return [
    { value: "", label: text.nothing },
    ...choices.map(({ key, label }) => ({ value: key, label })),
  ];
}
