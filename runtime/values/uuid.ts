/** Whether the text is a UUID of any version, in the canonical form. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
