import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { headingsOf, type Page, page, pages, targetsOf } from "./pages.js";

const root = join(import.meta.dirname, "../..");

/** The links of a page whose file or anchor is not there. */
function broken(from: Page): string[] {
  const here = targetsOf(from).filter((target) => !/^https:/.test(target));
  return here.filter((target) => {
    const [file = "", anchor] = target.split("#");
    const path = file === "" ? from.path : normalize(join(dirname(from.path), file));
    if (!existsSync(join(root, path))) return true;
    const to = pages.find((one) => one.path === path);
    return (
      anchor !== undefined &&
      !(to !== undefined && headingsOf(to).some((heading) => heading.anchor === anchor))
    );
  });
}

describe("the links of the documentation", () => {
  test.each(pages.map((one) => [one.path, one] as const))("all resolve in %s", (_, one) => {
    expect(broken(one)).toEqual([]);
  });

  test("that are broken are found", () => {
    const text = "# One two\n[a](files.md#nowhere) [b](nothing.md) [c](#one-two) [d](#one)\n";
    expect(broken({ name: "docs/x", path: "docs/README.md", text })).toEqual([
      "files.md#nowhere",
      "nothing.md",
      "#one-two",
      "#one",
    ]);
  });

  test("to pictures lead to small files, and have alternative text", () => {
    const pictures = [...page("README").text.matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g)];
    expect(pictures.map(([, , path]) => path)).toEqual([
      "docs/pictures/dashboard.webp",
      "docs/pictures/terminal.webp",
    ]);
    for (const [, words = "", path = ""] of pictures) {
      expect(words.length).toBeGreaterThan(80);
      expect(statSync(join(root, path)).size).toBeLessThan(150_000);
    }
  });

  test("lead from the README to the list of pages, which has every page", () => {
    expect(targetsOf(page("README"))).toContain("docs/README.md");
    const { path, text } = page("docs/README");
    const missing = pages.filter(
      (one) =>
        one.name.startsWith("docs/") &&
        one.name !== "docs/README" &&
        !text.includes(
          `](${one.path.slice(dirname(path) === "." ? 0 : dirname(path).length + 1)})`,
        ),
    );
    expect(missing.map((one) => one.path)).toEqual([]);
  });
});
