import { fileOf, filePath } from "../api/records/descriptors.js";
import { type CellProps, kind } from "./kind.js";
import { Blank } from "./value/blank.js";
import { nameOf, stored } from "./value/stored.js";

function Download({ field, row }: CellProps) {
  const details = fileOf(field, row);
  if (details === null) return <Blank />;
  return (
    <a href={filePath(details)} target="_blank" rel="noreferrer">
      <bdi>{nameOf({ field, row })}</bdi>
    </a>
  );
}

export const file = kind({
  ...stored,
  cell: Download,
  isShown: false,
});
