/** The type of a column, below a domain. */
export interface FoundType {
  readonly type: string;
  /** As in `pg_type.typcategory`. */
  readonly category: string;
}

/** Whether values of the found type are read as ones of the type: texts, numbers and truth values by their category. */
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
