import { type ReactNode, useId } from "react";
import { enBlocks } from "../../text/en/home/blocks.js";
import { Button } from "../button/button.js";
import { useKeptFocus } from "../file/kept-focus.js";
import { useReorder } from "../page/reorder.js";
import "./arranged.css";

const text = enBlocks;

export interface ArrangedBlock {
  readonly key: string;
  readonly name: string;
  /** The block's share of a wide page. */
  readonly width: "third" | "half" | "whole";
  readonly content: ReactNode;
}

export interface ArrangedProps {
  /** The name of the list of blocks. */
  readonly label: string;
  readonly blocks: readonly ArrangedBlock[];
  /** Whether blocks can be moved and removed, and not used. */
  readonly isArranging: boolean;
  /** The id of the element that gets the focus when the focused block is removed. */
  readonly focusId: string;
  /** Called with another order, and with a sentence that says what was moved. */
  readonly onKeys: (keys: readonly string[], said: string) => void;
  readonly onRemove: (key: string) => void;
}

/** The blocks of a page, which the user reorders by dragging, with buttons, or with Alt and the arrow keys. */
export function Arranged(props: ArrangedProps) {
  const { label, blocks, isArranging, focusId, onKeys, onRemove } = props;
  const id = useId();
  const keys = blocks.map(({ key }) => key);
  const focused = useKeptFocus(focusId, keys.join());
  const { move, entry, onKeyDown } = useReorder(keys, (next) => {
    onKeys(next, movedIn(keys, next, blocks));
  });
  return (
    <ol className="arranged" aria-label={label} {...focused}>
      {blocks.map(({ key, name, width, content }, at) => (
        <li key={key} className={width} {...(isArranging ? entry(at) : {})}>
          {isArranging ? (
            // biome-ignore lint/a11y/useSemanticElements: it has no field
            <div
              className="row handles"
              role="group"
              aria-label={name}
              onKeyDown={(event) => onKeyDown(event, at)}
            >
              <bdi className="cut grow small strong">{name}</bdi>
              <Button
                id={`${id}-${key}-up`}
                look="quiet"
                size="small"
                icon="up"
                label={text.moveUp(name)}
                barred={at === 0 ? text.isFirst : undefined}
                onPress={() => move(at, at - 1)}
              />
              <Button
                id={`${id}-${key}-down`}
                look="quiet"
                size="small"
                icon="down"
                label={text.moveDown(name)}
                barred={at === keys.length - 1 ? text.isLast : undefined}
                onPress={() => move(at, at + 1)}
              />
              <Button
                id={`${id}-${key}`}
                look="quiet"
                size="small"
                icon="close"
                label={text.remove(name)}
                onPress={() => onRemove(key)}
              />
            </div>
          ) : null}
          <div inert={isArranging}>{content}</div>
        </li>
      ))}
    </ol>
  );
}

/** Finds the moved block and its new position: the block without which both orders are equal. */
function movedIn(
  former: readonly string[],
  next: readonly string[],
  blocks: readonly ArrangedBlock[],
): string {
  const rest = (keys: readonly string[], key: string) => keys.filter((one) => one !== key).join();
  const key = next.find((one, at) => one !== former[at] && rest(former, one) === rest(next, one));
  const block = blocks.find((one) => one.key === key);
  if (block === undefined || key === undefined) return "";
  return text.moved({ name: block.name, at: next.indexOf(key) + 1, of: next.length });
}
