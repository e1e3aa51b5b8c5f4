import { type ReactNode, useState } from "react";
import { enPictures } from "../../text/en/quick-look.js";
import { type Picture, PictureView } from "./picture-view.js";

export interface PictureButtonProps {
  /** All pictures that can be viewed from here, and the index of the button's picture. */
  readonly pictures: readonly Picture[];
  readonly at: number;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A picture that opens as large as the window allows. */
export function PictureButton({ pictures, at, className = "", children }: PictureButtonProps) {
  const [shown, setShown] = useState<number | null>(null);
  return (
    <>
      <button
        type="button"
        className={`picture-button ${className}`}
        aria-label={enPictures.enlarge(pictures[at]?.name ?? "")}
        onClick={() => setShown(at)}
      >
        {children}
      </button>
      {shown === null ? null : (
        <PictureView
          pictures={pictures}
          at={shown}
          onAt={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}
