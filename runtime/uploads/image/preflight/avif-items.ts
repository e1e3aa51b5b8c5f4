import { refuseDamaged } from "../rules/refuse.js";
import { type Box, boxesOf, type Reader, readBox } from "./boxes.js";
import type { FileView } from "./file-view.js";

/** An item of an AVIF file: a picture, a tile, an alpha mask, or metadata. */
export interface Item {
  readonly id: number;
  /** `av01` for a coded picture, `grid` for one that is composed of tiles. */
  readonly type: string;
  readonly properties: readonly Box[];
  /** The offset of the item's first byte; null if unknown. */
  readonly at: number | null;
}

export interface Items {
  readonly primary: Item;
  readonly all: readonly Item[];
  /** The items that this one is composed of. */
  partsOf(item: Item): readonly Item[];
  /** The auxiliary items of this one, such as its alpha mask or depth map. */
  additionsTo(item: Item): readonly Item[];
}

const fullBox = 4;

/** Reads the items of the file. Refuses a file that has no picture, or whose lists are damaged. */
export async function readItems(file: FileView): Promise<Items> {
  const meta = (await boxesOf(file, { from: 0, to: file.size }, "meta")).at(-1);
  if (meta?.type !== "meta") return refuseDamaged();
  const content = await boxesOf(file, { from: meta.from + fullBox, to: meta.to });
  const read = async (type: string) => {
    const box = content.find((each) => each.type === type);
    return box === undefined ? null : readBox(file, box);
  };
  const types = await readTypes(file, content);
  const data = content.find(({ type }) => type === "idat");
  const offsets = readOffsets(await read("iloc"), data?.from ?? null);
  const properties = await readProperties(file, content);
  const references = readReferences(await read("iref"));
  const primaryBox = await read("pitm");
  const primaryId = primaryBox === null ? 0 : idOf(primaryBox, primaryBox.number(1) === 0 ? 2 : 4);
  const all = [...types].map(([id, type]) => ({
    id,
    type,
    properties: properties.get(id) ?? [],
    at: offsets.get(id) ?? null,
  }));
  const byId = new Map(all.map((item) => [item.id, item]));
  const named = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? []);
  return {
    primary: byId.get(primaryId) ?? refuseDamaged(),
    all,
    partsOf: ({ id }) =>
      named(references.flatMap(({ type, from, to }) => (type === "dimg" && from === id ? to : []))),
    additionsTo: ({ id }) =>
      named(
        references.flatMap(({ type, from, to }) =>
          type === "auxl" && to.includes(id) ? [from] : [],
        ),
      ),
  };
}

/** An id that follows a version byte and three bytes of flags. */
function idOf(read: Reader, length: number): number {
  read.number(3);
  return read.number(length);
}

async function childrenOf(file: FileView, parent: Omit<Box, "type">, type: string): Promise<Box[]> {
  return (await boxesOf(file, parent)).filter((box) => box.type === type);
}

async function readTypes(file: FileView, meta: readonly Box[]): Promise<Map<number, string>> {
  const types = new Map<number, string>();
  const list = meta.find(({ type }) => type === "iinf");
  if (list === undefined) return types;
  const version = (await readBox(file, { from: list.from, to: list.from + fullBox })).number(1);
  const from = list.from + fullBox + (version === 0 ? 2 : 4);
  for (const entry of await childrenOf(file, { from, to: list.to }, "infe")) {
    const read = await readBox(file, entry);
    const entryVersion = read.number(1);
    // Entries of older versions have no type.
    if (entryVersion < 2) continue;
    const id = idOf(read, entryVersion === 2 ? 2 : 4);
    read.number(2);
    types.set(id, read.text(4));
  }
  return types;
}

/** The construction method of offsets that start at the beginning of the file; others start at the box `idat`. */
const fromFile = 0;
const fromData = 1;

/** The offsets in the file of those items whose offset is known. */
function readOffsets(read: Reader | null, dataAt: number | null): Map<number, number> {
  const offsets = new Map<number, number>();
  if (read === null) return offsets;
  const version = read.number(1);
  read.number(3);
  const sizes = read.number(2);
  const [offsetLength, lengthLength] = [sizes >> 12, (sizes >> 8) & 15];
  const [baseLength, indexLength] = [(sizes >> 4) & 15, version === 0 ? 0 : sizes & 15];
  const items = read.number(version < 2 ? 2 : 4);
  for (let item = 0; item < items; item += 1) {
    const id = read.number(version < 2 ? 2 : 4);
    const method = version === 0 ? fromFile : read.number(2) & 15;
    const start = method === fromFile ? 0 : method === fromData ? dataAt : null;
    read.number(2);
    const base = read.number(baseLength);
    const extents = read.number(2);
    for (let extent = 0; extent < extents; extent += 1) {
      read.number(indexLength);
      const offset = read.number(offsetLength);
      read.number(lengthLength);
      if (extent === 0 && start !== null) offsets.set(id, start + base + offset);
    }
  }
  return offsets;
}

async function readProperties(
  file: FileView,
  meta: readonly Box[],
): Promise<Map<number, readonly Box[]>> {
  const properties = new Map<number, readonly Box[]>();
  const container = meta.find(({ type }) => type === "iprp");
  if (container === undefined) return properties;
  const content = await boxesOf(file, container);
  const list = content.find(({ type }) => type === "ipco");
  const boxes = list === undefined ? [] : await boxesOf(file, list);
  for (const association of content.filter(({ type }) => type === "ipma")) {
    const read = await readBox(file, association);
    const version = read.number(1);
    const isWide = (read.number(3) & 1) === 1;
    const items = read.number(4);
    for (let item = 0; item < items; item += 1) {
      const id = read.number(version === 0 ? 2 : 4);
      const own: Box[] = [];
      const count = read.number(1);
      for (let index = 0; index < count; index += 1) {
        // The highest bit marks a property as essential; indexes start at 1.
        const number = isWide ? read.number(2) & 0x7fff : read.number(1) & 0x7f;
        const box = boxes[number - 1];
        if (box !== undefined) own.push(box);
      }
      if (!properties.has(id)) properties.set(id, own);
    }
  }
  return properties;
}

interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

function readReferences(read: Reader | null): readonly Reference[] {
  const references: Reference[] = [];
  if (read === null) return references;
  const idLength = read.number(1) === 0 ? 2 : 4;
  read.number(3);
  while (read.left >= 8) {
    read.number(4);
    const type = read.text(4);
    const from = read.number(idLength);
    const count = read.number(2);
    references.push({ type, from, to: Array.from({ length: count }, () => read.number(idLength)) });
  }
  return references;
}
