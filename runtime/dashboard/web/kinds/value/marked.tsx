const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** A highlighted text from the API: escaped text with marks around the matches. */
export function Marked({ html }: { readonly html: string }) {
  const parts = html.split(/<mark>(.*?)<\/mark>/s).map(unescaped);
  return (
    <bdi title={parts.join("")}>
      {parts.map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
        at % 2 === 0 ? part : <mark key={at}>{part}</mark>,
      )}
    </bdi>
  );
}

/** The highlighted text without its marks. */
export function withoutMarks(html: string): string {
  return unescaped(html.replaceAll(/<\/?mark>/g, ""));
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
