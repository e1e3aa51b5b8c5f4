import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { createElement, Fragment, type ReactNode } from "react";

/**
 * The maximum length, in code units, of a text that is shown as Markdown; a longer text is shown as typed. The parser's
 * time grows with the square of the length for unpaired asterisks: 100,000 units took 8 s on a loaded machine.
 */
const longest = 50_000;

/** The maximum nesting depth of quotations and lists. */
const deepest = 20;

/**
 * Renders Markdown (CommonMark with GitHub's tables and strikethrough) as elements. It is safe by construction: HTML is
 * never parsed, tags are shown as text, and pictures become links, so that no external resource is loaded.
 */
export function Blocks({ text }: { readonly text: string }) {
  if (!canBeParsed(text)) return <bdi className="prose">{text}</bdi>;
  return <div className="markdown">{all(Lexer.lex(text, { gfm: true }), 0)}</div>;
}

/** Checks length and nesting depth: for each level, the parser reads the rest of the quotation or list item again. */
function canBeParsed(text: string): boolean {
  return text.length <= longest && !tooDeep.test(text);
}

const tooDeep = new RegExp(
  `^(?:[ \\t]{0,3}(?:>|(?:[-*+]|\\d{1,9}[.)])[ \\t])){${deepest + 1}}`,
  "m",
);

function all(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  if (depth > deepest * 2) return tokens?.map(({ raw }) => raw).join("");
  return tokens?.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text have no other identity.
    <Fragment key={at}>{shown(token as MarkedToken, depth + 1)}</Fragment>
  ));
}

function shown(token: MarkedToken, depth: number): ReactNode {
  const within = "tokens" in token ? all(token.tokens, depth) : null;
  switch (token.type) {
    case "heading":
      // Below the headings of the page.
      return createElement(`h${Math.min(6, token.depth + 2)}`, { dir: "auto" }, within);
    case "paragraph":
      return <p dir="auto">{within}</p>;
    case "blockquote":
      return <blockquote dir="auto">{within}</blockquote>;
    case "list":
      return <List list={token} depth={depth} />;
    case "table":
      return <Table table={token} depth={depth} />;
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard.
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "hr":
      return <hr />;
    case "strong":
      return <strong>{within}</strong>;
    case "em":
      return <em>{within}</em>;
    case "del":
      return <del>{within}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Address href={token.href}>{within}</Address>;
    case "image":
      return <Address href={token.href}>{token.text || token.href}</Address>;
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "text":
      return within ?? withReferences(token.text);
    case "escape":
      return token.text;
    case "html":
      return token.block ? <p className="prose">{token.raw.trim()}</p> : token.raw;
    default:
      // Empty lines and link definitions.
      return null;
  }
}

function List({ list, depth }: { readonly list: Tokens.List; readonly depth: number }) {
  const items = list.items.map(({ tokens }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as for tokens.
    <li key={at} dir="auto">
      {all(tokens, depth)}
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={list.start === "" ? 1 : list.start}>{items}</ol>;
}

function Table({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }) {
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map(({ tokens, header, align }, at) =>
      createElement(
        header ? "th" : "td",
        { key: at, dir: "auto", ...(align === null ? {} : { align }) },
        all(tokens, depth),
      ),
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard.
    <div className="wide" tabIndex={0}>
      <table>
        <thead>
          <tr>{cells(table.header)}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as for tokens.
            <tr key={at}>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A link to a page or an email address; any other address, such as `javascript:`, is not a link. */
function Address({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!/^(?:https?:\/\/|mailto:)./i.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noreferrer nofollow">
      {children}
    </a>
  );
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

/** The text with its character references resolved; an unknown one stays unchanged. */
function withReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
    (whole, ...parts) => {
      const [decimal, hexadecimal, name] = parts as readonly (string | undefined)[];
      if (name !== undefined) return named[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(`${hexadecimal}`, 16) : Number(decimal);
      const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}
