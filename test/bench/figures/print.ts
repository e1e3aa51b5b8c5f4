import { grouped, heading, line, millisecondsText, rateText, ratioText } from "../table.js";
import type { CaseFigures, Figures } from "./file.js";

/** What the README says of speed. */
export function speedOf({ cases }: Figures): string {
  const of = (name: string) => {
    const found = cases.find((one) => one.name === name);
    if (found === undefined) throw new Error(`No figures of the case ${name}`);
    return { rate: `${rateText(found.rate)}/s`, ratio: `${ratioText(found.e)} ×` };
  };
  const [one, list, long] = [of("GET one"), of("list, 10 000 rows"), of("list, 1 000 000 rows")];
  const [word, post] = [of("q, a rare word"), of("POST")];
  const text = withCommas(
    `Measured on two processors that the load generator and PostgreSQL share, against Express with \`pg\` by hand (×):
    single records ${one.rate} (${one.ratio}); a list with its exact total ${list.rate} at ten thousand records
    (${list.ratio}) and ${long.rate} at a million (${long.ratio}), because totals are kept, not counted; a rare word
    found in a million records ${word.rate} (${word.ratio}); creating ${post.rate} (${post.ratio}), since records that
    arrive at once are stored together.`,
  );
  return wrapped(text);
}

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
