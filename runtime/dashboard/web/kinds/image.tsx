import { fileOf, filePath } from "../api/records/descriptors.js";
import { type CellProps, kind } from "./kind.js";
import { Blank } from "./value/blank.js";
import { asksForUpload, nameOf, printUpload, uploadFilter } from "./value/stored.js";

function Thumbnail({ field, row }: CellProps) {
  const details = fileOf(field, row);
  if (details === null) return <Blank />;
  return (
    <img
      className="thumb"
      src={filePath(details, "thumb")}
      alt={nameOf({ field, row })}
      width={32}
      height={32}
      loading="lazy"
      decoding="async"
    />
  );
}

export const image = kind({
  cell: Thumbnail,
  print: printUpload,
  filter: uploadFilter,
  isSortable: false,
  isAtEnd: false,
  isPicture: true,
  asks: asksForUpload,
  isShown: true,
});
