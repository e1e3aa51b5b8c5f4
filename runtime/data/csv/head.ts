/** What separates cells, in the order in which one is taken where a header has as many of several. */
const separators = [",", ";", "\t"] as const;

/** The separator of a file, by its header: the one that is most often outside of quotation marks. */
export function separatorOf(header: string): string {
  const outside = header.replace(/"[^"]*"?/g, "");
  const [first, ...others] = separators.map((separator) => ({
    separator,
    times: outside.split(separator).length,
  }));
  let best = first ?? { separator: ",", times: 0 };
  for (const one of others) if (one.times > best.times) best = one;
  return best.separator;
}

/** The first line of a file that has one, with what its quotation marks hold; null where more bytes are needed. */
export function headerEnd(bytes: Buffer, from: number): number | null {
  let isQuoted = false;
  let isEmpty = true;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 34) isQuoted = !isQuoted;
    if (byte === 10 && !isQuoted && !isEmpty) return at;
    if (byte !== 10 && byte !== 13) isEmpty = false;
  }
  return null;
}
