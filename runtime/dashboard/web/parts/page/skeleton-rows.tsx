import { en } from "../../text/en/en.js";

/** The number visible at once in a usual window. */
const rows = 12;

/** A table that is loading: rows of the final height, with a bar for each column. */
export function SkeletonRows({ columns }: { readonly columns: number }) {
  return (
    <div className="skeleton in-rows" role="status">
      <span className="hidden">{en.common.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
        <span key={row} className="coming-row">
          {Array.from({ length: columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nor have columns
            <span key={column} className="line" />
          ))}
        </span>
      ))}
    </div>
  );
}
