import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { meQuery } from "../../api/account/queries.js";
import { call } from "../../api/client/client.js";
import { useWrite } from "../../api/client/writes.js";
import { Button } from "../../parts/button/button.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { Failure } from "../../parts/page/page.js";
import { Refusal } from "../../parts/status/notice.js";
import { enAccount } from "../../text/en/account.js";
import { en } from "../../text/en/en.js";

const text = enAccount.profile;

/** The side of the uploaded picture in pixels; the API creates its own sizes. */
const side = 800;

/** The position of the square: `zoom` from 1, the others from -1 to 1. */
interface View {
  readonly zoom: number;
  readonly across: number;
  readonly down: number;
}

/** A dialog that crops a picture to a square and uploads it for the account. */
export function Crop({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  const [picture, setPicture] = useState<ImageBitmap | "broken" | null>(null);
  const [view, setView] = useState<View>({ zoom: 1, across: 0, down: 0 });
  const canvas = useRef<HTMLCanvasElement>(null);
  const client = useQueryClient();
  useEffect(() => {
    let isOver = false;
    createImageBitmap(file).then(
      (bitmap) => !isOver && setPicture(bitmap),
      () => !isOver && setPicture("broken"),
    );
    return () => {
      isOver = true;
    };
  }, [file]);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (picture instanceof ImageBitmap && context) draw(context, picture, view);
  }, [picture, view]);
  const send = useWrite({
    run: async () => {
      const blob = await new Promise<Blob | null>((resolve) =>
        canvas.current?.toBlob(
          resolve,
          file.type === "image/png" ? "image/png" : "image/jpeg",
          0.92,
        ),
      );
      if (blob === null) throw new Error("no picture");
      const name = blob.type === "image/png" ? "picture.png" : "picture.jpg";
      await call("PUT", `/auth/avatar?name=${name}`, { body: blob });
      await client.refetchQueries(meQuery);
    },
    onDone: onClose,
  });
  const slide = (name: keyof View, label: string, [min, max]: readonly [number, number]) => (
    <label className="slider small strong">
      {label}
      <input
        type="range"
        min={min}
        max={max}
        step="0.05"
        value={view[name]}
        onChange={(event) => setView({ ...view, [name]: Number(event.target.value) })}
      />
    </label>
  );
  // The dialog's layout depends on the picture, so wait until it is read.
  if (picture === null) return null;
  return (
    <Dialog title={text.cropTitle} onClose={onClose}>
      {picture === "broken" ? <Failure text={text.unreadable} /> : null}
      {picture === "broken" ? null : (
        <>
          <p className="small muted">{text.cropText}</p>
          <div
            className="crop"
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => {
              if (event.buttons === 0) return;
              const { movementX, movementY, currentTarget } = event;
              const drag = { x: movementX, y: movementY, shown: currentTarget.clientWidth };
              setView((from) => dragged(picture, from, drag));
            }}
          >
            <canvas ref={canvas} width={side} height={side} />
          </div>
          {slide("zoom", text.zoom, [1, 4])}
          {slide("across", text.across, [-1, 1])}
          {slide("down", text.down, [-1, 1])}
        </>
      )}
      <Refusal refused={send.refused} />
      <div className="actions">
        <Button onPress={onClose}>{en.common.cancel}</Button>
        {picture === "broken" ? null : (
          <Button look="primary" isBusy={send.isBusy} onPress={() => send.send(undefined)}>
            {text.use}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** Moves the picture with the finger at any zoom; `shown` is the square's width on the screen. */
function dragged(
  { width, height }: ImageBitmap,
  { zoom, across, down }: View,
  { x, y, shown }: { readonly x: number; readonly y: number; readonly shown: number },
): View {
  const cut = Math.min(width, height) / zoom;
  const by = (moved: number, side: number) =>
    side === cut ? 0 : (moved * cut * 2) / (shown * (side - cut));
  return {
    zoom,
    across: limited(across - by(x, width)),
    down: limited(down - by(y, height)),
  };
}

function limited(value: number): number {
  return Math.min(1, Math.max(-1, value));
}

function draw(
  context: CanvasRenderingContext2D,
  picture: ImageBitmap,
  { zoom, across, down }: View,
): void {
  const { width, height } = picture;
  const cut = Math.min(width, height) / zoom;
  const x = ((width - cut) / 2) * (1 + across);
  const y = ((height - cut) / 2) * (1 + down);
  context.clearRect(0, 0, side, side);
  context.drawImage(picture, x, y, cut, cut, 0, 0, side, side);
}
