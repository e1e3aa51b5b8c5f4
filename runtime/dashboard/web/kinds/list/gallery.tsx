import { elementsOf, listCell } from "../../../../values/csv/list-cell.js";
import { detailsKey } from "../../../../values/files/details-key.js";
import type { Field, FileDetails, Row } from "../../api/client/types.js";
import { filesOf } from "../../api/records/descriptors.js";
import { formDefaults, parsedAs, problem } from "../form-rules.js";
import { type CellProps, cell, type Kind, kind } from "../kind.js";
import { Blank } from "../value/blank.js";
import { elementOf, elementsIn, listProblem } from "./list.js";

/** Maximum number of files in a cell, which has one line. */
const mostShown = 5;

/** Lists of files or pictures. */
export function galleryOf(element: Kind): Kind {
  const { cell: Element } = element;

  function Files({ field, row, resource }: CellProps) {
    const files = filesOf(field, row);
    if (files.length === 0) return <Blank />;
    const others = files.length - mostShown;
    return (
      <span className="row near">
        {files.slice(0, mostShown).map((file) => (
          <Element
            key={file.key}
            field={elementOf(field)}
            row={rowOf(field, row, file)}
            resource={resource}
          />
        ))}
        {others > 0 ? <span className="muted">{`+${others}`}</span> : null}
      </span>
    );
  }

  return kind({
    ...element,
    cell: Files,
    print: (_, value) => keysCell(value),
    filter: element.filter && { ...element.filter, comparisons: "files" },
    isPicture: false,
    picture: element.picture && ((field, row) => filesOf(field, row)[0] ?? null),
    asks: (field) => [
      ...element.asks(elementOf(field)).filter((name) => name !== detailsKey(field.name, one)),
      detailsKey(field.name, several),
    ],
    form: {
      ...formDefaults,
      input: "gallery",
      typed: keysCell,
      parse: (field, typed) => {
        const keys = elementsOf(typed);
        const wrong = listProblem(field, keys);
        return wrong === null ? parsedAs(keys) : problem(wrong, keys);
      },
      width: () => "whole",
    },
    readCell: (field, text) => {
      const keys = elementsOf(text);
      return cell(keys, listProblem(field, keys));
    },
  });
}

const one = { isList: false };
const several = { isList: true };

function keysCell(value: unknown): string {
  return listCell(elementsIn(value).map(String));
}

/** The row of a single file, in the form of a field that holds one file. */
function rowOf({ name }: Field, row: Row, file: FileDetails): Row {
  return { ...row, [name]: file.key, [detailsKey(name, one)]: file };
}
