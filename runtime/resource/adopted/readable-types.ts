/** The type of a column; for a domain, its base type. */
export interface FoundType {
  readonly type: string;
  /** As in `pg_type.typcategory`. */
  readonly category: string;
}

/** Whether values of the actual type can be read as `sqlType`: texts, numbers and booleans by their category. */
export function isReadable(sqlType: string, { category, type }: FoundType): boolean {
  return categories.get(sqlType)?.includes(category) ?? type === sqlType;
}

const categories: ReadonlyMap<string, string> = new Map([
  ["text", "SEU"],
  ["bigint", "N"],
  ["numeric", "N"],
  ["double precision", "N"],
  ["boolean", "B"],
]);
