/** Whether a header such as `Accept` lists exactly that value with a weight other than 0. */
export function accepts(header: string, value: string): boolean {
  const ranges = header
    .split(",")
    .map((part) => part.split(";").map((one) => one.trim().toLowerCase()));
  return ranges.some(
    ([name, ...rest]) => name === value && !rest.some((one) => /^q=0(?:\.0*)?$/.test(one)),
  );
}
