/** SQL that sums a column's values exactly; `at` is the column's position among the sums. */
export interface Sum {
  /** The aggregates over rows, whose names `total` uses. */
  parts(value: string, at: number): readonly string[];
  /** The sum as an exact number; 0 without values. */
  total(at: number): string;
  /** A total as JSON text. */
  text(total: string): string;
}

/** For numbers that PostgreSQL adds exactly. */
export const exactSum: Sum = {
  parts: (value, at) => [`sum(${value}) as _sum_${at}`],
  total: (at) => `coalesce(_sum_${at}, 0)`,
  // An adopted column may contain NaN and infinity, which JSON can represent only as strings.
  text: (total) => `to_json(${total})::text`,
};

/** Values beyond this are summed separately, so that no sum becomes infinite. */
const huge = "1e290";
/** 2^60, which exceeds the number of rows of any table. */
const scale = "1152921504606846976";

/** For doubles. */
export const doubleSum: Sum = {
  parts: (value, at) => [
    `sum(${value}) filter (where abs(${value}) <= ${huge}) as _sum_${at}`,
    `sum(${value} / ${scale}) filter (where abs(${value}) > ${huge}) as _large_${at}`,
  ],
  total(at) {
    // The text of a double is exact; its cast to a numeric is not.
    const small = `coalesce(_sum_${at}::text::numeric, 0)`;
    const large = `case when abs(_large_${at}) < 1.5e290 then (_large_${at} * ${scale})::text::numeric else _large_${at}::text::numeric * ${scale} end`;
    return `(${small} + coalesce(${large}, 0))`;
  },
  // JSON allows numbers outside the range of doubles.
  text: (total) =>
    `case when abs(${total}) < 1.7976931348623157e308 then ${total}::float8::text else to_json(${total})::text end`,
};
