import type { Minute } from "./endurance.js";

const width = 720;
const height = 160;
const left = 90;

interface Row {
  readonly label: string;
  readonly unit: string;
  value(minute: Minute): number;
}

const rows: readonly Row[] = [
  { label: "99 of 100 answers within", unit: "ms", value: ({ p99 }) => p99 },
  { label: "memory of the server", unit: "MB", value: ({ memory }) => memory },
  { label: "open descriptors", unit: "", value: ({ descriptors }) => descriptors },
  { label: "rows of the package", unit: "", value: ({ packageRows }) => packageRows },
  { label: "dead rows", unit: "", value: ({ deadRows }) => deadRows },
];

/** A line for each figure over the minutes, each from zero to its largest value, as SVG. */
export function chart(all: readonly Minute[]): string {
  const parts = rows.map((row, at) => panel(row, all, at * (height + 30)));
  const total = rows.length * (height + 30) + 10;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" font-family="sans-serif" font-size="12" fill="#555">`,
    `<title>${all.length} minutes of mixed load</title>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function panel({ label, unit, value }: Row, all: readonly Minute[], top: number): string {
  const values = all.map(value);
  const most = Math.max(1, ...values);
  const points = values.map((one, at) => {
    const x = left + ((width - left - 10) * at) / Math.max(1, values.length - 1);
    const y = top + 20 + (height - 20) * (1 - one / most);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const bottom = top + height;
  return [
    `<text x="${left}" y="${top + 12}">${label}</text>`,
    `<text x="${left - 8}" y="${top + 26}" text-anchor="end">${Math.round(most)} ${unit}</text>`,
    `<text x="${left - 8}" y="${bottom}" text-anchor="end">0</text>`,
    `<path d="M${left} ${top + 20}V${bottom}H${width - 10}" fill="none" stroke="#bbb"/>`,
    `<polyline points="${points.join(" ")}" fill="none" stroke="#0a7" stroke-width="1.5"/>`,
    `<text x="${width - 10}" y="${bottom + 14}" text-anchor="end">${all.length} min</text>`,
  ].join("\n");
}
