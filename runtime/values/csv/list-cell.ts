/** The elements of a list in a cell, separated by `|`; `\|` stands for `|`, and `\\` for a backslash. */
export function elementsOf(cell: string): readonly string[] {
  if (cell === "") return [];
  const elements: string[] = [];
  let element = "";
  for (let at = 0; at < cell.length; at += 1) {
    const character = cell.charAt(at);
    const next = cell.charAt(at + 1);
    if (character === "|") {
      elements.push(element);
      element = "";
    } else if (character === "\\" && (next === "|" || next === "\\")) {
      element += next;
      at += 1;
    } else element += character;
  }
  elements.push(element);
  return elements;
}

/** Formats a list as a cell. */
export function listCell(elements: readonly string[]): string {
  return elements.map((element) => element.replace(/[\\|]/g, "\\$&")).join("|");
}

/** SQL for the cell of a list, given SQL for the list as JSON. */
export function listCellSql(json: string): string {
  const escaped = String.raw`replace(replace(element, '\', '\\'), '|', '\|')`;
  return `(select coalesce(string_agg(${escaped}, '|' order by place), '') from json_array_elements_text(${json}) with ordinality as list (element, place))`;
}
