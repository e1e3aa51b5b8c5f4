import { useEffect, useRef } from "react";
import { enPictures } from "../../text/en/quick-look.js";
import { count, size } from "../../text/format.js";
import { Button } from "../button/button.js";
import { Icon } from "../button/icon.js";
import { Dialog } from "../overlay/dialog.js";
import "./picture-view.css";

/** A stored picture that can be viewed and downloaded. */
export interface Picture {
  readonly key: string;
  readonly name: string;
  /** The alternative text; empty if the record has none. */
  readonly alt: string;
  /** The addresses of the displayed picture and of the stored file. */
  readonly shown: string;
  readonly original: string;
  /** Pixels and bytes of the stored file; null if unknown. */
  readonly pixels: readonly [width: number, height: number] | null;
  readonly bytes: number | null;
}

export interface PictureViewProps {
  readonly pictures: readonly Picture[];
  /** The index of the displayed picture. */
  readonly at: number;
  readonly onAt: (at: number) => void;
  readonly onClose: () => void;
}

const text = enPictures;

/** A picture as large as the window allows, with buttons for the previous and next ones. */
export function PictureView({ pictures, at, onAt, onClose }: PictureViewProps) {
  const step = (by: number) => onAt((at + by + pictures.length) % pictures.length);
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "ArrowRight") latest.current(1);
      if (key === "ArrowLeft") latest.current(-1);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const picture = pictures[at];
  if (picture === undefined) return null;
  const { name, alt, shown, original, pixels, bytes } = picture;
  const facts = [
    pixels === null ? null : text.pixels(count(pixels[0]), count(pixels[1])),
    bytes === null ? null : size(bytes),
    pictures.length < 2 ? null : text.place(at + 1, pictures.length),
  ].filter((fact) => fact !== null);
  return (
    <Dialog title={name} look="picture" onClose={onClose} closesOutside>
      <div className="picture-view">
        <div className="canvas">
          <img key={shown} src={shown} alt={alt === "" ? name : alt} />
        </div>
        <p className="small muted num" role="status">
          {facts.join(" · ")}
        </p>
        <div className="actions">
          {pictures.length < 2 ? null : (
            <>
              <Button icon="left" onPress={() => step(-1)}>
                {text.previous}
              </Button>
              <Button icon="right" onPress={() => step(1)}>
                {text.next}
              </Button>
            </>
          )}
          <span className="grow" />
          <a className="button" href={original} download={name}>
            <Icon name="save" />
            {text.download}
          </a>
        </div>
      </div>
    </Dialog>
  );
}
