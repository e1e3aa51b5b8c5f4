import type { Services } from "../../own-code/index.js";
import { markedEnd } from "../../values/files/private-mark.js";
import { presentEnd, signedDetails } from "./details.js";

/** How the details of a file begin, as an upload stores them. */
const opening = '{"key":"';

/** Files whose signed details are kept: about 10 MB. The one that was added first is dropped. */
const maxKept = 8192;

interface SignedText {
  readonly plain: string;
  readonly signed: string;
  readonly until: number;
}

/**
 * Signs the addresses of all private files in the JSON text of records: in details whose key has the mark of
 * `values/files/private-mark.ts`, which it removes. Signed details are kept as long as the signatures stay the same.
 */
export function newSigner(services: Pick<Services, "config" | "clock">): (json: string) => string {
  const kept = new Map<string, SignedText>();

  function signedOf(key: string, plain: string, until: number): string {
    const signed = signedDetails(services, plain, until);
    if (key === "") return signed;
    if (!kept.has(key) && kept.size >= maxKept) kept.delete(kept.keys().next().value ?? "");
    // A part of a text would keep the whole text in memory.
    kept.set(copyOf(key), { plain: copyOf(plain), signed, until });
    return signed;
  }

  return (json) => {
    let mark = json.indexOf(markedEnd);
    if (mark < 0) return json;
    const until = presentEnd(services);
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
      const start = after + colon.length;
      text += `${json.slice(written, mark)}"${colon}`;
      written = start;
      if (json[start] === "{") {
        const key = keyAt(json, start);
        const known = kept.get(key);
        // The same file may have other renditions since.
        const isSame =
          known !== undefined && json.slice(start, start + known.plain.length) === known.plain;
        const plain = isSame ? known.plain : json.slice(start, endOfObject(json, start));
        text += isSame && known.until === until ? known.signed : signedOf(key, plain, until);
        written = start + plain.length;
      }
      mark = json.indexOf(markedEnd, written);
    }
    return text + json.slice(written);
  };
}

/** The colon there, as PostgreSQL writes it in both forms; null for anything else. */
function colonAt(json: string, at: number): string | null {
  if (json[at] === ":") return ":";
  return json.startsWith(" : ", at) ? " : " : null;
}

/** The key of the details that begin there; empty where they are not in the form of an upload. */
function keyAt(json: string, start: number): string {
  const from = start + opening.length;
  return json.startsWith(opening, start) ? json.slice(from, json.indexOf('"', from)) : "";
}

/** Where the object that begins there ends: braces count only outside of strings. */
function endOfObject(json: string, start: number): number {
  let depth = 0;
  sign.lastIndex = start;
  for (let found = sign.exec(json); found !== null; found = sign.exec(json)) {
    if (found[0] === "{") depth += 1;
    else if (found[0] === "}") depth -= 1;
    if (depth === 0) return sign.lastIndex;
  }
  throw new Error("The details of a file are cut off");
}

/** A brace, or a whole string. */
const sign = /[{}]|"(?:[^"\\]|\\.)*"/g;

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
