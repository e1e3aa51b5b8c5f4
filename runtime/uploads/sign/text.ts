import type { Services } from "../../own-code/index.js";
import { markedEnd } from "../../values/files/private-mark.js";
import { presentEnd, signedDetails } from "./details.js";

/** The beginning of a file's details, as an upload stores them. */
const opening = '{"key":"';

/** The maximum number of files whose signed details are cached: about 10 MB. */
const maxKept = 8192;

/** The maximum number of cached lists: about 4 MB. */
const maxLists = 16;
/**
 * Characters of a cached list. V8 hashes a text of 16,384 by its length alone, and only then compares; it reads all of
 * a shorter one.
 */
const listLength = { least: 16_384, most: 131_072 };

interface SignedText {
  readonly plain: string;
  readonly signed: string;
  readonly until: number;
}

/**
 * Signs the URLs of all private files in the JSON text of records: in details whose key has the mark of
 * `values/files/private-mark.ts`, which it removes. Signed details are cached for the life of their signatures, and so
 * are a few whole lists, which are often requested again.
 */
export function newSigner(services: Pick<Services, "config" | "clock">): (json: string) => string {
  // Two halves, of which the older is dropped whole: to find its oldest entry, a map steps over each deleted one.
  let kept = new Map<string, SignedText>();
  let before = new Map<string, SignedText>();
  const lists = new Map<string, Pick<SignedText, "signed" | "until">>();

  function signedOf(key: string, plain: string, until: number): string {
    const signed = signedDetails(services, plain, until);
    if (key === "") return signed;
    if (kept.size >= maxKept / 2) [kept, before] = [new Map(), kept];
    // Copies: slices would keep the whole JSON text in memory.
    kept.set(copyOf(key), { plain: copyOf(plain), signed, until });
    return signed;
  }

  /** The details that begin at that index, and the same signed. */
  function detailsAt(json: string, start: number, until: number) {
    const key = keyAt(json, start);
    const known = kept.get(key) ?? before.get(key);
    // The file's renditions may have changed since.
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
      // The end of a value: only keys are followed by a colon.
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

/**
 * The colon at that index, in either form in which PostgreSQL writes it; null for anything else.
 */
function colonAt(json: string, at: number): string | null {
  if (json[at] === ":") return ":";
  return json.startsWith(" : ", at) ? " : " : null;
}

/** The index of the next element of a list, given the end of an element; if there is none, that of whatever follows. */
function nextElement(json: string, at: number): number {
  let next = at;
  while (json[next] === "," || json[next] === " " || json[next] === "\n") next += 1;
  return next;
}

/** The key of the details that begin at that index; empty if they are not in an upload's form. */
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

/** An object of objects of objects: the details, their renditions, and one of these. Braces in strings do not count. */
const object = new RegExp(objectOf(objectOf(objectOf(""))), "y");

function objectOf(inner: string): string {
  return String.raw`\{(?:[^{}"]|"(?:[^"\\]|\\.)*"${inner === "" ? "" : `|${inner}`})*\}`;
}

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
