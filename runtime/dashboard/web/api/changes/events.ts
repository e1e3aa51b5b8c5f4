/** An event of a stream, as the API writes it. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
  /** The position after it, where the event has one. */
  readonly id: string | null;
}

/** The most characters of one event: a change has at most 64 kB of a record. */
const maxLength = 512 * 1024;

/** Takes a stream apart as it comes; throws where an event does not end. */
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

/** A comment, which only keeps the stream open, is no event. */
function eventOf(text: string): readonly StreamEvent[] {
  const lines = text.split("\n");
  const lineOf = (name: string) => {
    const line = lines.find((one) => one.startsWith(`${name}: `));
    return line?.slice(name.length + 2) ?? null;
  };
  const [name, data] = [lineOf("event"), lineOf("data")];
  return name === null || data === null ? [] : [{ name, data, id: lineOf("id") }];
}
