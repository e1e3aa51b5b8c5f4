/** Whether a migration is meant by its number, its name, or its file's name. */
export function isNamed(name: string, asked: string): boolean {
  const wanted = asked.replace(/\.sql$/, "");
  return name === wanted || (/^\d+$/.test(wanted) && numberOf(name) === Number(wanted));
}

/** What a migration's name begins with; null for one without a number. */
function numberOf(name: string): number | null {
  const digits = /^\d+/.exec(name)?.[0];
  return digits === undefined ? null : Number(digits);
}
