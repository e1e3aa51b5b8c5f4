import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type Mark, marked } from "../../../runtime/dashboard/web/kinds/input/markdown/marks.js";
import { Blocks } from "../../../runtime/dashboard/web/kinds/value/markdown/blocks.js";

/** The text with its selection in brackets, or its caret as one bar. */
function applied(text: string, mark: Mark): string {
  const isCaret = text.includes("|");
  const from = text.indexOf(isCaret ? "|" : "⟦");
  const bare = text.replace(/[|⟦⟧]/g, "");
  const to = isCaret ? from : text.indexOf("⟧") - 1;
  const edit = marked({ text: bare, from, to }, mark);
  const next = bare.slice(0, edit.from) + edit.insert + bare.slice(edit.to);
  const [start, end] = edit.selection;
  if (start === end) return `${next.slice(0, start)}|${next.slice(start)}`;
  return `${next.slice(0, start)}⟦${next.slice(start, end)}⟧${next.slice(end)}`;
}

test.each<[mark: Mark, before: string, after: string]>([
  ["bold", "a ⟦b⟧ c", "a **⟦b⟧** c"],
  ["bold", "a **⟦b⟧** c", "a ⟦b⟧ c"],
  ["bold", "a⟦ b ⟧c", "a **⟦b⟧** c"],
  ["bold", "a |", "a **|**"],
  ["italic", "⟦b⟧", "_⟦b⟧_"],
  ["italic", "_⟦b⟧_", "⟦b⟧"],
  ["heading", "one\ntw|o", "one\n## two|"],
  ["heading", "## tw|o", "two|"],
  ["list", "⟦one\ntwo⟧", "⟦- one\n- two⟧"],
  ["list", "⟦- one\n- two⟧", "⟦one\ntwo⟧"],
  ["list", "⟦- one\ntwo⟧", "⟦- one\n- two⟧"],
  ["quote", "o⟦ne\ntw⟧o\nthree", "⟦> one\n> two⟧\nthree"],
  ["link", "see ⟦this⟧", "see [this](⟦https://⟧)"],
  ["link", "⟦https://example.com⟧", "[|](https://example.com)"],
  ["link", "|", "[|](https://)"],
  ["code", "a ⟦b⟧", "a `⟦b⟧`"],
  ["code", "⟦a\nb⟧", "```\n⟦a\nb⟧\n```"],
  ["code", "x ⟦a\nb⟧ y", "x \n```\n⟦a\nb⟧\n```\n y"],
])("%s: %j becomes %j", (mark, before, after) => {
  expect(applied(before, mark)).toBe(after);
});

const shown = (text: string) =>
  renderToStaticMarkup(createElement(Blocks, { text })).replace(
    /^<div class="markdown">(.*)<\/div>$/s,
    "$1",
  );

test.each([
  ["# A **b**", '<h3 dir="auto">A <strong>b</strong></h3>'],
  ["a\n\nb  \nc", '<p dir="auto">a</p><p dir="auto">b<br/>c</p>'],
  ["1. a\n2. b", '<ol start="1"><li dir="auto">a</li><li dir="auto">b</li></ol>'],
  ["- [x] a", '<ul><li dir="auto">☑ a</li></ul>'],
  ["> a", '<blockquote dir="auto"><p dir="auto">a</p></blockquote>'],
  ["`<b>`", '<p dir="auto"><code>&lt;b&gt;</code></p>'],
  ["~~a~~ _b_", '<p dir="auto"><del>a</del> <em>b</em></p>'],
  ["Tea &amp; &#x43;o &copy;", '<p dir="auto">Tea &amp; Co &amp;copy;</p>'],
  ["\\*a\\*", '<p dir="auto">*a*</p>'],
])("%j is shown as elements", (text, elements) => {
  expect(shown(text)).toBe(elements);
});

test("a table keeps the alignment of its columns", () => {
  expect(shown("|a|b|\n|-|-:|\n|1|2|")).toBe(
    '<div class="wide" tabindex="0"><table><thead><tr><th dir="auto">a</th><th dir="auto" align="right">b</th></tr>' +
      '</thead><tbody><tr><td dir="auto">1</td><td dir="auto" align="right">2</td></tr></tbody></table></div>',
  );
});

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "a <b onclick=alert(1)>b</b>",
  "[a](javascript:alert(1))",
  "[a](JAVASCRIPT:alert(1))",
  "[a](data:text/html,x)",
  "[a](&#106;avascript:alert(1))",
  "<javascript:alert(1)>",
  "[a]: javascript:alert(1)\n\n[a]",
  "![a](javascript:alert(1))",
  '[a](https://example.com"onclick="alert(1))',
])("%j runs nothing and fetches nothing", (text) => {
  const elements = shown(text);
  expect(elements).not.toMatch(/<(?:script|img|b\b|iframe)/);
  expect(elements).not.toMatch(/href="(?!https:\/\/example\.com)/);
  expect(elements).not.toMatch(/<[a-z][^>]* on[a-z]+=/);
});

test("links open elsewhere, and a picture is a link", () => {
  const link = (text: string, href: string) =>
    `<p dir="auto"><a href="${href}" target="_blank" rel="noreferrer nofollow">${text}</a></p>`;
  expect(shown("[a](https://example.com/b)")).toBe(link("a", "https://example.com/b"));
  expect(shown("![cup](https://example.com/c.png)")).toBe(link("cup", "https://example.com/c.png"));
  expect(shown("ada@example.com")).toBe(link("ada@example.com", "mailto:ada@example.com"));
});

test.each([
  ["a long text", "a".repeat(50_001)],
  ["quotations in each other", "> ".repeat(21)],
  ["lists in quotations in each other", "> - ".repeat(25_000)],
])("%s: it is shown as it was typed", (_, text) => {
  expect(shown(text)).toBe(`<bdi class="prose">${text.replaceAll(">", "&gt;")}</bdi>`);
});
