/** An event of a stream, as the API writes it. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
  /** The position after the event; null if the event has none. */
  readonly id: string | null;
}

/** The maximum length of an event in characters: a change has at most 64 kB of a record. */
const maxLength = 512 * 1024;

/** Parses a stream incrementally; throws if an event exceeds the limit. */
export function newEventReader(): (chunk: string) => readonly StreamEvent[] {
  let rest = "";
  return (chunk) => {
    rest += chunk;
    const texts = rest.split("\n\n");
    rest = texts.pop() ?? "";
    if (rest.length > maxLength) throw new Error("an event of the stream does not end");
    return texts.flatMap(eventOf);
  };
}

/** A comment only keeps the stream open, and is not an event. */
function eventOf(text: string): readonly StreamEvent[] {
  const lines = text.split("\n");
  const lineOf = (name: string) => {
    const line = lines.find((one) => one.startsWith(`${name}: `));
    return line?.slice(name.length + 2) ?? null;
  };
  const [name, data] = [lineOf("event"), lineOf("data")];
  return name === null || data === null ? [] : [{ name, data, id: lineOf("id") }];
}
