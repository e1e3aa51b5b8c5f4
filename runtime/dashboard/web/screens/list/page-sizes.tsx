import { Choice } from "../../parts/form/choice.js";
import { enList } from "../../text/en/list.js";
import { count } from "../../text/format.js";
import type { ListState } from "./list-state.js";
import { pageSizes } from "./rows/columns.js";

/** The choice of rows per page, next to its label if `isBeside`, otherwise below it. */
export function PageSizes({
  state: { perPage, layout, setLayout, ask },
  isBeside = false,
}: {
  readonly state: ListState;
  readonly isBeside?: boolean;
}) {
  // The address may contain another size.
  const sizes = pageSizes.includes(perPage) ? pageSizes : [...pageSizes, perPage];
  return (
    <Choice
      label={enList.rows}
      isBeside={isBeside}
      value={String(perPage)}
      options={sizes.map((one) => ({ value: String(one), label: count(one) }))}
      onChange={(next) => {
        setLayout({ ...layout, perPage: Number(next) });
        ask({ perPage: null });
      }}
    />
  );
}
