/** Reads numbers of any number of bits in turn, the highest bit first; beyond the end all bits are 0. */
export function bitReader(bytes: Buffer): (count: number) => number {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let read = 0; read < count; read += 1, at += 1) {
      const byte = bytes[at >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1);
    }
    return value;
  };
}
