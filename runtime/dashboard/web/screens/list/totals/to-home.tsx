import type { Resource } from "../../../api/client/types.js";
import { labelOf, may } from "../../../api/records/descriptors.js";
import type { Block } from "../../../home/blocks.js";
import { listName } from "../../../home/list-name.js";
import { useAddToHome } from "../../../home/use-home.js";
import { Button } from "../../../parts/button/button.js";
import { enBlocks } from "../../../text/en/home/blocks.js";
import { enTotals } from "../../../text/en/lists/totals.js";
import type { ListState } from "../list-state.js";
import { totalledIn } from "./figures.js";

interface ToHomeProps {
  readonly resource: Resource;
  readonly state: ListState;
  readonly onAdded: () => void;
}

/** Adds the list, its number of records, or a column total to the home page. */
export function ToHome({ resource, state, onAdded }: ToHomeProps) {
  const add = useAddToHome();
  if (add === null) return null;
  return (
    <div className="stack near">
      {blocksOf(resource, state).map(({ name, block }) => (
        <Button
          key={name}
          size="small"
          icon="home"
          onPress={() => {
            add(block, name);
            onAdded();
          }}
        >
          {enBlocks.addNamed(name)}
        </Button>
      ))}
    </div>
  );
}

interface Offered {
  readonly name: string;
  readonly block: Block;
}

/** The blocks of a list that can be added to the home page. */
function blocksOf(resource: Resource, state: ListState): readonly Offered[] {
  const { by, total } = state.listing;
  const list = { resource: resource.name, name: state.view?.name ?? null, search: state.search };
  const name = listName(resource, list);
  const records: Offered = {
    name,
    block: { kind: "records", ...list, columns: state.layout.columns },
  };
  const number = {
    name: enBlocks.count(name),
    block: { kind: "figure", ...list, measure: "count" } as const,
  };
  if (!may(resource, "stats")) return [records];
  const fields = total === null ? [] : totalledIn(state.columns);
  const totals = fields.map((field) => ({
    name: enBlocks.total({
      total: enTotals.totals[total ?? "sum"],
      field: labelOf(field),
      list: name,
    }),
    block: { kind: "figure", ...list, measure: `${total}.${field.name}` } as const,
  }));
  // A grouped list shows no records, so they are not offered.
  return [...(by.length > 0 ? [] : [records]), number, ...totals];
}
