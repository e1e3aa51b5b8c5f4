import { en } from "../../text/en/en.js";

/** The content of a cell with an empty value. */
export function Blank() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="hidden">{en.common.empty}</span>
    </>
  );
}

export function isBlank(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
