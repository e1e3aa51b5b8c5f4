/** Deep-freezes a plain value. Byte arrays stay mutable, since they cannot be frozen. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
