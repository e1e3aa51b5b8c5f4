import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { headerMistakes } from "../../../runtime/data/import/columns.js";
import type { ImportRequest } from "../../../runtime/data/import/request.js";
import { rowReader } from "../../../runtime/data/import/row-reader.js";
import { openSource } from "../../../runtime/data/read/source.js";
import { usualFile } from "../../support/apps/usual-file.js";

const kinds = {
  name: "string",
  email: "string",
  code: "string",
  city: "string",
  vip: "boolean",
  joinedOn: "date",
  limit: "double",
  level: "enum",
  lastSeenAt: "timestamp",
} as const;

const people = {
  table: {
    columns: Object.fromEntries(Object.entries(kinds).map(([key, kind]) => [key, { kind }])),
  },
  shapes: { create: { name: z.string() } },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "service-csv-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Options = Partial<ImportRequest>;

/** What an import reads of a file, before it stores anything: its rows and mistakes, each with its line. */
async function read(file: string | Buffer, options: Options = {}): Promise<unknown> {
  const path = join(folder, "people.csv");
  writeFileSync(path, file);
  const request = {
    ...{ ...usualFile, resource: "people", path, format: "csv", map: {}, link: {}, upsert: null },
    ...{ onError: "stop", errors: null, resume: null, isDry: false, isFromSpreadsheet: false },
    ...{ events: 0, command: null, ...options },
  } as const satisfies ImportRequest;
  let source: Awaited<ReturnType<typeof openSource>>;
  try {
    source = await openSource({ ...request, from: null });
  } catch (error) {
    return (error as Error).message;
  }
  const { header } = source;
  if (header === null) throw new Error("CSV has a header");
  const wrong = headerMistakes(people, header, request);
  if (wrong.length > 0) return wrong.map(({ line, column, message }) => [line, column, message]);
  const reader = rowReader({ fields: people, linked: new Map() }, request, header.columns);
  const rows: unknown[] = [];
  for await (const records of source.records) {
    for (const record of records) {
      const { row, unread } = reader.read(record);
      const mistakes = [...unread, ...(row?.issues ?? [])].map(({ path, message }) => [
        path === null ? null : reader.columns.columnOf(path),
        message,
      ]);
      rows.push(mistakes.length > 0 ? [record.line, ...mistakes] : row?.values);
    }
  }
  return rows;
}

type Case = readonly [title: string, file: string | Buffer, expected: unknown, options?: Options];

const number = "Must be a number as in JSON: 1234.5";
const date = "Must be a date: YYYY-MM-DD";
const boolean = "Must be true or false";
const oslo = { name: "A", code: "0035", city: "Oslo" };

const layouts: readonly Case[] = [
  ["empty lines", "name,code,city\n\nA,0035,Oslo\n\n", [oslo]],
  ["rows of empty cells", 'name,code,city\nA,0035,Oslo\n,,\n"",,""\n\n,,\n', [oslo]],
  ["rows of empty cells before the header", ";;\nname;code;city\nA;0035;Oslo\n", [oslo]],
  ["a trailing comma in the header", "name,code,city,\nA,0035,Oslo,\nA,0035,Oslo\n", [oslo, oslo]],
  [
    "a value below a trailing comma",
    "name,code,city,\nA,0035,Oslo,x\n",
    [[2, [null, "Expected 3 cells, found 4"]]],
  ],
  [
    "CR line ends",
    'name,code,city\rA,0035,Oslo\r\rA,0035,"Os\rlo"\r',
    [oslo, { ...oslo, city: "Os\rlo" }],
  ],
  ["CR line ends, and no last one", "name,code,city\rA,0035,Oslo", [oslo]],
  [
    "CRLF, and a line break of LF in a cell",
    'name,city\r\n"A\nB",Oslo\r\n',
    [{ name: "A\nB", city: "Oslo" }],
  ],
  ["CR CR LF", "name,city\r\r\nA,\r\n", [{ name: "A", city: null }]],
  [
    "a byte order mark and semicolons",
    "\uFEFFname;city\r\nÅse;Ålesund\r\n",
    [{ name: "Åse", city: "Ålesund" }],
  ],
  [
    "a first line that names the separator",
    "sep=;\r\nname;city\r\nÅse;a,b,c\r\n",
    [{ name: "Åse", city: "a,b,c" }],
  ],
  [
    "another separator that is named",
    "\uFEFFSEP=|\nname|city\nA|Oslo\n||\n",
    [{ name: "A", city: "Oslo" }],
  ],
  [
    "lines behind one that names the separator",
    "sep=;\nname;limit\nA;x\n",
    [[3, ["limit", number]]],
  ],
  ["one column", "name\nOnly\n", [{ name: "Only" }]],
  [
    "quotation marks in header and cells",
    '"name","city"\n"A ""x""","a\nb"\n',
    [{ name: 'A "x"', city: "a\nb" }],
  ],
  ["a header alone", "name,code,city\n", []],
  ["nothing", "", "The file has no header"],
  ["a byte order mark alone", "\uFEFF", "The file has no header"],
  ["empty cells alone", ",,\n,,\n", "The file has no header"],
  [
    "a quotation mark inside a cell",
    'name\n5" pipe\n',
    [[2, [null, "A quotation mark inside a cell that does not begin with one"]]],
  ],
  [
    "a quotation mark that is never closed",
    'name,city\nA,"Oslo\nB,Oslo\n',
    [[2, [null, "A quotation mark is never closed"]]],
  ],
  ["too few cells", "name,code,city\nA,0043\n", [[2, [null, "Expected 3 cells, found 2"]]]],
  ["too many cells", "name,city\nA,Oslo,\n", [[2, [null, "Expected 2 cells, found 3"]]]],
  ["a column twice", "name,code,code\n", [[1, "code", "This column is repeated"]]],
  [
    "names in capitals",
    "Name,CITY\n",
    [
      [1, "Name", 'This is not a field: did you mean "name"?'],
      [1, "CITY", 'This is not a field: did you mean "city"?'],
      [1, null, "No column for name, which is required"],
    ],
  ],
];

const cells: readonly Case[] = [
  [
    "leading zeros and long numbers in texts",
    "name,code,city\n007,1E+15,4.5E-3\n",
    [{ name: "007", code: "1E+15", city: "4.5E-3" }],
  ],
  ["blanks in texts", "name,city\nA , Oslo\n", [{ name: "A ", city: " Oslo" }]],
  ["formulas", `name,city\n"=A(""x"")",'@x\n`, [{ name: '=A("x")', city: "'@x" }]],
  [
    "formulas of a spreadsheet's file",
    `name,city\n"=A(""x"")",'@x\n`,
    [{ name: '=A("x")', city: "@x" }],
    { isFromSpreadsheet: true },
  ],
  [
    "blanks around numbers, and a plus",
    "name,limit\nA, 12.5 \nB,\u00a012\u202f\nC,+5\nD,1e2\n",
    [12.5, 12, 5, 100].map((limit, at) => ({ name: "ABCD"[at], limit })),
  ],
  [
    "other numbers",
    "name,limit\nA,.5\nB,5.\nC,007\nD,1\u00a0234.50\nE,++5\nF,+ 5\nG, \n",
    [2, 3, 4, 5, 6, 7, 8].map((line) => [line, ["limit", number]]),
  ],
  [
    "numbers with a comma",
    'name;limit\nA;10,5\nB;1.234,56\nC;"1,234.50"\n',
    [2, 3, 4].map((line) => [line, ["limit", number]]),
  ],
  [
    "true and false in any case",
    "name,vip\nA,TRUE\nB,False\n",
    [
      { name: "A", vip: true },
      { name: "B", vip: false },
    ],
  ],
  [
    "other booleans",
    "name,vip\nA,yes\nB,1\nC,WAHR\n",
    [2, 3, 4].map((line) => [line, ["vip", boolean]]),
  ],
  [
    "times at midnight as dates",
    "name,joinedOn\n" +
      ["2026-01-31T00:00:00.000Z", "2026-01-31 00:00:00", "2026-01-31T00:00:00+02:00"]
        .map((day) => `A,${day}\n`)
        .join(""),
    [1, 2, 3].map(() => ({ name: "A", joinedOn: "2026-01-31" })),
  ],
  [
    "other dates",
    "name,joinedOn\n" +
      [
        "31.01.2026",
        "01/02/2026",
        "46053",
        "2026-01-31T10:00:00.000Z",
        "2026-02-30",
        "2026-02-30T00:00:00Z",
      ]
        .map((day) => `A,${day}\n`)
        .join(""),
    [2, 3, 4, 5, 6, 7].map((line) => [line, ["joinedOn", date]]),
  ],
  [
    "times without a zone, and dates as times, which the API judges",
    "name,lastSeenAt\nA,2026-01-31 10:00:00\nB,2026-01-31\n",
    [
      { name: "A", lastSeenAt: "2026-01-31 10:00:00" },
      { name: "B", lastSeenAt: "2026-01-31" },
    ],
  ],
  ["words for nothing", "name,city,limit\nA,NULL,NULL\n", [[2, ["limit", number]]]],
  ["values of enums, which the API judges", "name,level\nA,Gold\n", [{ name: "A", level: "Gold" }]],
];

const options: readonly Case[] = [
  [
    "--decimal ,",
    'name;limit\nA;10,5\nB;"-35,01"\nC; +1,5e3\nD;7\n',
    [10.5, -35.01, 1500, 7].map((limit, at) => ({ name: "ABCD"[at], limit })),
    { decimal: "," },
  ],
  [
    "--decimal , and other numbers",
    "name;limit\nA;10.5\nB;1.234,56\nC;1.234\nD;1,2,3\n",
    [2, 3, 4, 5].map((line) => [line, ["limit", "Must be a number: 1234,5"]]),
    { decimal: "," },
  ],
  [
    "--date-format of dates",
    "name;joinedOn\nA;31.01.2026\nB;2026-01-31\nC;31.02.2026\n",
    [
      { name: "A", joinedOn: "2026-01-31" },
      ...[3, 4].map((line) => [line, ["joinedOn", "Must be a date: DD.MM.YYYY"]]),
    ],
    { dateFormat: "DD.MM.YYYY" },
  ],
  [
    "--date-format with short years",
    "name;joinedOn\nA;1/2/26\nB;12/31/70\nC;9/9/69\n",
    ["2026-01-02", "1970-12-31", "2069-09-09"].map((joinedOn, at) => ({
      name: "ABC"[at],
      joinedOn,
    })),
    { dateFormat: "M/D/YY" },
  ],
  [
    "--date-format with a time, of dates and times",
    "name;joinedOn;lastSeenAt\nA;31.01.2026;31.01.2026 10:30\nB;31.01.2026 00:00;31.07.2026 10:30\nC;31.01.2026 10:30;31.01.2026\n",
    [
      { name: "A", joinedOn: "2026-01-31", lastSeenAt: "2026-01-31T09:30:00.000Z" },
      { name: "B", joinedOn: "2026-01-31", lastSeenAt: "2026-07-31T08:30:00.000Z" },
      [
        4,
        ["joinedOn", "Must be a date: DD.MM.YYYY"],
        ["lastSeenAt", "Must be a time: DD.MM.YYYY HH:mm"],
      ],
    ],
    { dateFormat: "DD.MM.YYYY HH:mm", timezone: "Europe/Oslo" },
  ],
  [
    "--date-format without a time, of times",
    "name;lastSeenAt\nA;31.01.2026\nB;31.01.2026 10:30\nC;31.01.2026 10:30:15.5\nD;31.01.2026 24:00\n",
    [
      { name: "A", lastSeenAt: "2026-01-30T23:00:00.000Z" },
      { name: "B", lastSeenAt: "2026-01-31T09:30:00.000Z" },
      { name: "C", lastSeenAt: "2026-01-31T09:30:15.500Z" },
      [5, ["lastSeenAt", "Must be a time: DD.MM.YYYY"]],
    ],
    { dateFormat: "DD.MM.YYYY", timezone: "Europe/Oslo" },
  ],
  [
    "--date-format of times without a zone",
    "name;lastSeenAt\nA;31.01.2026 10:30\nB;2026-01-31T10:30:00Z\n",
    [
      [2, ["lastSeenAt", "This time has no time zone, and none is named for the file"]],
      { name: "B", lastSeenAt: "2026-01-31T10:30:00Z" },
    ],
    { dateFormat: "DD.MM.YYYY HH:mm" },
  ],
  [
    "--timezone",
    "name,lastSeenAt\nA,2026-01-31 10:00:00\nB,2026-07-31T10:00\nC,2026-01-31T10:00:00+05:00\nD,2026-03-29 02:30:00\nE,2026-10-25 02:30:00\nF,2026-10-25 03:00:00\n",
    [
      { name: "A", lastSeenAt: "2026-01-31T09:00:00.000Z" },
      { name: "B", lastSeenAt: "2026-07-31T08:00:00.000Z" },
      { name: "C", lastSeenAt: "2026-01-31T10:00:00+05:00" },
      [5, ["lastSeenAt", "Clocks in Europe/Oslo skip this time"]],
      [6, ["lastSeenAt", "Clocks in Europe/Oslo show this time twice"]],
      { name: "F", lastSeenAt: "2026-10-25T02:00:00.000Z" },
    ],
    { timezone: "Europe/Oslo" },
  ],
  [
    "--null",
    "name,city,limit,vip,joinedOn\nA,NULL, - ,N/A,N/A\nB,\\N,,,\n",
    [
      { name: "A", city: null, limit: null, vip: null, joinedOn: null },
      { name: "B", city: "\\N", limit: null, vip: null, joinedOn: null },
    ],
    { nulls: ["NULL", "N/A", "-"] },
  ],
  [
    "--values",
    "name,vip,level,city\nA,WAHR,Åpen ,WAHR\nB,FALSCH,,x\n",
    [
      { name: "A", vip: true, level: "open", city: "WAHR" },
      { name: "B", vip: false, level: null, city: "x" },
    ],
    { values: { vip: { WAHR: "true", FALSCH: "false" }, level: { Åpen: "open" } } },
  ],
  [
    "--set",
    "name,city\nA,Oslo\n",
    [{ name: "A", city: "Oslo", limit: 1.5, vip: true, level: null }],
    { decimal: ",", set: { limit: "1.5", vip: "true", level: "" } },
  ],
  [
    "--set of a required field",
    "city\nOslo\n",
    [{ city: "Oslo", name: "A" }],
    { set: { name: "A" } },
  ],
  [
    "--set of a field with a column",
    "name,Stad\nA,Oslo\n",
    [[1, "Stad", "--set fills city: skip this column"]],
    { map: { Stad: "city" }, set: { city: "Bergen" } },
  ],
  [
    "--join",
    "name;Dato;Klokkeslett\nA;31.01.2026;10:30\nB;;\nC;31.01.2026;\nD;-;-\n",
    [
      { name: "A", lastSeenAt: "2026-01-31T09:30:00.000Z" },
      { name: "B", lastSeenAt: null },
      [4, ["Dato+Klokkeslett", "Must be a time: DD.MM.YYYY HH:mm"]],
      { name: "D", lastSeenAt: null },
    ],
    {
      join: { lastSeenAt: ["Dato", "Klokkeslett"] },
      dateFormat: "DD.MM.YYYY HH:mm",
      timezone: "Europe/Oslo",
      nulls: ["-"],
    },
  ],
  [
    "--join of texts, and of a column that is also mapped",
    "First,city,Last\nAda,Oslo,King\nBo,,\n",
    [
      { name: "Ada King", city: "Oslo", code: "Ada" },
      { name: "Bo", city: null, code: "Bo" },
    ],
    { join: { name: ["First", "Last"] }, map: { First: "code" } },
  ],
  [
    "--join of columns that are not there, or twice",
    "name,Dato,Dato,lastSeenAt\n",
    [
      [1, "lastSeenAt", "--join fills lastSeenAt: skip this column"],
      [1, "Dato", "This column is repeated"],
      [1, null, 'There is no column "Tid" to join to lastSeenAt'],
    ],
    { join: { lastSeenAt: ["Dato", "Tid"] } },
  ],
];

const utf16 = Buffer.from("\uFEFFname\tcity\r\nÅse 𝄞\tÅlesund\r\n", "utf16le");
const ofUtf16 = [{ name: "Åse 𝄞", city: "Ålesund" }];
const unnamed = "This file is UTF-16. Save it again as UTF-8, or pass --encoding utf-16";

const encodings: readonly Case[] = [
  ["UTF-16 that is not named", utf16, unnamed],
  [
    "UTF-16 that is not named, in a file of another encoding",
    utf16,
    unnamed,
    { encoding: "windows-1252" },
  ],
  ["--encoding utf-16", utf16, ofUtf16, { encoding: "utf-16" }],
  ["--encoding utf-16, without a mark", utf16.subarray(2), ofUtf16, { encoding: "utf-16" }],
  [
    "--encoding utf-16, the other way round",
    Buffer.from(utf16).swap16(),
    ofUtf16,
    { encoding: "utf-16" },
  ],
  [
    "half a character of UTF-16",
    Buffer.concat([utf16, Buffer.from("A\ud800\tOslo\nB\tOslo\n", "utf16le"), Buffer.from("C")]),
    [
      ...ofUtf16,
      [3, [null, "This row is not UTF-16"]],
      { name: "B", city: "Oslo" },
      [5, [null, "This row is not UTF-16"]],
    ],
    { encoding: "utf-16" },
  ],
  [
    "--encoding windows-1252",
    Buffer.from("name;city\r\n\xc5se \x80;\x93\xc5lesund\x94\r\n", "latin1"),
    [{ name: "Åse €", city: "“Ålesund”" }],
    { encoding: "windows-1252" },
  ],
  [
    "bytes that Windows-1252 does not have",
    Buffer.from("name\n\x81\nB\n", "latin1"),
    [[2, [null, "This row is not Windows-1252"]], { name: "B" }],
    { encoding: "windows-1252" },
  ],
  [
    "bytes that are no UTF-8",
    Buffer.from("name\n\xc5se\nB\n", "latin1"),
    [[2, [null, "This row is not UTF-8"]], { name: "B" }],
  ],
  [
    "a mark of UTF-8, whatever is named",
    "\uFEFFname\nÅse\n",
    [{ name: "Åse" }],
    { encoding: "windows-1252" },
  ],
  [
    "a workbook",
    Buffer.from("PK\x03\x04 xl/workbook.xml", "latin1"),
    expect.stringContaining("Save the sheet as “CSV UTF-8”"),
  ],
];

describe.each<readonly [string, readonly Case[]]>([
  ["layouts", layouts],
  ["cells", cells],
  ["options", options],
  ["encodings", encodings],
])("%s:", (_, cases) => {
  for (const [title, file, expected, given] of cases) {
    test(title, async () => expect(await read(file, given)).toEqual(expected));
  }
});
