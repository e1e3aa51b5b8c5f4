import type { Services } from "../../own-code/index.js";
import { markedEnd } from "../../values/files/private-mark.js";
import { presentEnd, signedDetails } from "./details.js";

/** The beginning of a file's details in the form in which uploads are stored. */
const opening = '{"key":"';

/** Maximum number of files whose signed details are cached, about 10 MB. */
const maxKept = 8192;

/** Maximum number of cached lists, about 4 MB. */
const maxLists = 16;
/**
 * Length of lists that are cached, in characters. From 16,384 on V8 hashes a string by its length alone, and then only
 * compares; it hashes all characters of shorter ones.
 */
const listLength = { least: 16_384, most: 131_072 };

interface SignedText {
  readonly plain: string;
  readonly signed: string;
  readonly until: number;
}

/**
 * Creates a function that signs the URLs of all private files in the JSON text of records. It finds their details by a
 * mark on the key (`values/files/private-mark.ts`), and removes the mark. Signed details are cached while their
 * signatures are valid, and so are some whole lists, which are often requested repeatedly.
 */
export function newSigner(services: Pick<Services, "config" | "clock">): (json: string) => string {
  // Two generations; the older one is dropped as a whole. To find its oldest entry, a map must skip all deleted ones.
  let kept = new Map<string, SignedText>();
  let before = new Map<string, SignedText>();
  const lists = new Map<string, Pick<SignedText, "signed" | "until">>();

  function signedOf(key: string, plain: string, until: number): string {
    const signed = signedDetails(services, plain, until);
    if (key === "") return signed;
    if (kept.size >= maxKept / 2) [kept, before] = [new Map(), kept];
    // Copied, because slices would keep the whole JSON text in memory.
    kept.set(copyOf(key), { plain: copyOf(plain), signed, until });
    return signed;
  }

  /** The details that begin at the index, as they are and signed. */
  function detailsAt(json: string, start: number, until: number) {
    const key = keyAt(json, start);
    const known = kept.get(key) ?? before.get(key);
    // The file's renditions may have changed since they were cached.
    const isSame =
      known !== undefined && json.slice(start, start + known.plain.length) === known.plain;
    const plain = isSame ? known.plain : json.slice(start, endOfObject(json, start));
    const signed = isSame && known.until === until ? known.signed : signedOf(key, plain, until);
    return { plain, signed };
  }

  function signList(json: string, mark: number, until: number): string {
    const known = lists.get(json);
    if (known?.until === until) return known.signed;
    const signed = sign(json, mark, until);
    const [oldest] = lists.keys();
    if (lists.size >= maxLists && oldest !== undefined) lists.delete(oldest);
    lists.set(json, { signed, until });
    return signed;
  }

  function sign(json: string, first: number, until: number): string {
    let mark = first;
    let text = "";
    let written = 0;
    while (mark >= 0) {
      const after = mark + markedEnd.length;
      const colon = colonAt(json, after);
      // The mark ends a value: only keys are followed by a colon.
      if (colon === null) {
        mark = json.indexOf(markedEnd, after);
        continue;
      }
      text += `${json.slice(written, mark)}"${colon}`;
      written = after + colon.length;
      for (let start = written + (json[written] === "[" ? 1 : 0); json[start] === "{"; ) {
        const { plain, signed } = detailsAt(json, start, until);
        text += json.slice(written, start) + signed;
        written = start + plain.length;
        start = nextElement(json, written);
      }
      mark = json.indexOf(markedEnd, written);
    }
    return text + json.slice(written);
  }

  return (json) => {
    const mark = json.indexOf(markedEnd);
    if (mark < 0) return json;
    const { least, most } = listLength;
    const isList = json.length >= least && json.length <= most;
    return (isList ? signList : sign)(json, mark, presentEnd(services));
  };
}

/** The colon at the index, in either of PostgreSQL's notations; null for anything else. */
function colonAt(json: string, at: number): string | null {
  if (json[at] === ":") return ":";
  return json.startsWith(" : ", at) ? " : " : null;
}

/**
 * The index of the next element of a list, given the end of an element; after the last element, that of what follows.
 */
function nextElement(json: string, at: number): number {
  let next = at;
  while (json[next] === "," || json[next] === " " || json[next] === "\n") next += 1;
  return next;
}

/** The key of the details that begin at the index; empty if they are not in the form of an upload's. */
function keyAt(json: string, start: number): string {
  const from = start + opening.length;
  return json.startsWith(opening, start) ? json.slice(from, json.indexOf('"', from)) : "";
}

/** The end of the object that begins at that index. */
function endOfObject(json: string, start: number): number {
  object.lastIndex = start;
  if (!object.test(json)) throw new Error("The details of a file are cut off");
  return object.lastIndex;
}

/** Matches three levels of objects: the details, their renditions, and one rendition. Braces in strings are ignored. */
const object = new RegExp(objectOf(objectOf(objectOf(""))), "y");

function objectOf(inner: string): string {
  return String.raw`\{(?:[^{}"]|"(?:[^"\\]|\\.)*"${inner === "" ? "" : `|${inner}`})*\}`;
}

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
