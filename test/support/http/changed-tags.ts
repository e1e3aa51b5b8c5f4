/** Tags as compressing proxies change them. */
export function changedTags(tag: string): readonly string[] {
  const inner = tag.slice(1, -1);
  return [
    `W/${tag}`,
    ...["-gzip", "--gzip", "-br", "-zstd", "-deflate", ";gzip", ";br", ";"].map(
      (end) => `"${inner}${end}"`,
    ),
    `W/"${inner}-gzip"`,
    `"other", W/"${inner};br"`,
  ];
}
