/** An event of a stream, as sent by the API. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
  /** The position after the event; null if the event has none. */
  readonly id: string | null;
}

/** Maximum length of an event in characters: a change contains at most 64 kB of a record. */
const maxLength = 512 * 1024;

/** Returns an incremental parser of a stream, which throws if an event exceeds the limit. */
export function newEventReader(): (chunk: string) => readonly StreamEvent[] {
  let rest = "";
  return (chunk) => {
    rest += chunk;
    const texts = rest.split("\n\n");
    rest = texts.pop() ?? "";
    if (rest.length > maxLength)
      throw new Error("an event of the stream exceeds the maximum length");
    return texts.flatMap(eventOf);
  };
}

/** Parses an event. A comment, which only keeps the stream open, is not an event. */
function eventOf(text: string): readonly StreamEvent[] {
  const lines = text.split("\n");
  const lineOf = (name: string) => {
    const line = lines.find((one) => one.startsWith(`${name}: `));
    return line?.slice(name.length + 2) ?? null;
  };
  const [name, data] = [lineOf("event"), lineOf("data")];
  return name === null || data === null ? [] : [{ name, data, id: lineOf("id") }];
}
