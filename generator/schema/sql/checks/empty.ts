import { type CheckStep, check, type FormerColumn } from "./former-column.js";

interface Named {
  readonly column: string;
}

/** Counts rows with an empty list in a column that becomes required. */
export function emptyList({ from, value, rows, id }: FormerColumn, { column }: Named): CheckStep {
  return check(
    `${rows} hold an empty "${column}", which is required from now on`,
    `select ${id} from ${from} where ${value} = '{}'`,
  );
}

/** Counts rows without a value in a column that becomes required. */
export function empty({ from, value, rows, id }: FormerColumn, { column }: Named): CheckStep {
  return check(
    `${rows} hold no "${column}", which is required from now on`,
    `select ${id} from ${from} where ${value} is null`,
  );
}
