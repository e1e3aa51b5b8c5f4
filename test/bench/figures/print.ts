import { grouped, heading, line, millisecondsText, rateText, ratioText } from "../table.js";
import type { CaseFigures, Figures } from "./file.js";

/** What the README and the page on deployment say of speed. */
export function speedOf({ cases }: Figures): string {
  const of = (name: string) => {
    const found = cases.find((one) => one.name === name);
    if (found === undefined) throw new Error(`No figures of the case ${name}`);
    return { rate: rateText(found.rate), ratio: `${ratioText(found.e)} ×` };
  };
  const [one, lists, post] = [of("GET one"), of(listsBesideWrites), of("POST")];
  const text = withCommas(
    `On two processors that it shares with PostgreSQL and the load generator, a server answers ${one.rate} requests a
    second for a record, ${lists.rate} for a hundred different lists and searches while rows are written, and
    ${post.rate} that create a record: ${one.ratio}, ${lists.ratio} and ${post.ratio} as many as a hand-written
    Express server with \`pg\` and indexes.`,
  );
  return wrapped(text);
}

const listsBesideWrites = "100 pages, filters and words in turn, beside writes";

/** The tables of the page on performance. */
export function tablesOf({ measured, cases, checks }: Figures): string {
  const compared = heading("Case", "records", "generated/s", "× E", "× R", "p50", "p99", "E's p99");
  const checked = heading("Besides", "measured", "target");
  return withCommas(
    [
      `${wrapped(`Measured ${measured}. Times are in milliseconds.`)}\n\n`,
      `${compared}${cases.map(rowOf).join("")}\n`,
      `${checked}${checks.map((one) => line(one.name, one.measured, one.target)).join("")}`,
    ].join(""),
  ).trimEnd();
}

function rowOf({ name, rows, rate, e, r, p50, p99, p99OfE }: CaseFigures): string {
  const times = [p50, p99, p99OfE].map(millisecondsText);
  const ratios = [e, r].map(ratioText);
  return line(caseName(name), grouped(rows), rateText(rate), ...ratios, ...times);
}

/** Some end with the number of records, which has a column of its own. */
function caseName(name: string): string {
  return name.replace(/, [\d ]+ rows$/, "");
}

/** `1 000 000`, as the benchmark writes it, as the documents do. */
function withCommas(text: string): string {
  return text.replace(/(?<=\d) (?=\d{3}(?!\d))/g, ",");
}

/** Columns of a line, as in the other documents. */
const width = 115;

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines.join("\n");
}
