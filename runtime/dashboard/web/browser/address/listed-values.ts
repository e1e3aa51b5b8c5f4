/** The values of one `in` or `nin`: separated by commas; `\,` is a comma and `\\` a backslash. Null: invalid. */
export function listedValues(text: string): readonly string[] | null {
  const values = [""];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === ",") values.push("");
    else if (character !== "\\") values[values.length - 1] += character;
    else {
      at += 1;
      const escaped = text.charAt(at);
      if (escaped !== "," && escaped !== "\\") return null;
      values[values.length - 1] += escaped;
    }
  }
  return values.length > 100 ? null : values;
}

export function joinValues(values: readonly string[]): string {
  return values.map((value) => value.replace(/[\\,]/g, "\\$&")).join(",");
}
