import { altOf, fileOf, filePath } from "../api/records/descriptors.js";
import { type CellProps, kind } from "./kind.js";
import { Blank } from "./value/blank.js";
import { nameOf, stored } from "./value/stored.js";

function Thumbnail({ field, row }: CellProps) {
  const details = fileOf(field, row);
  if (details === null) return <Blank />;
  return (
    <img
      className="thumb"
      src={filePath(details, "thumb")}
      alt={altOf(field, row) ?? nameOf({ field, row })}
      width={32}
      height={32}
      loading="lazy"
      decoding="async"
    />
  );
}

export const image = kind({
  ...stored,
  cell: Thumbnail,
  isPicture: true,
  picture: fileOf,
  asks: (field) => [...stored.asks(field), ...(field.alt === undefined ? [] : [field.alt])],
});
