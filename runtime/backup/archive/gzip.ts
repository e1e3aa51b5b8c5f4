import type { Buffer } from "node:buffer";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { damaged } from "./read-tar.js";

const chunkSize = 64 * 1024;

export function zipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  return through(bytes, createGzip({ chunkSize }));
}

export async function* unzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize });
  let given = 0;
  const counted = async function* () {
    for await (const chunk of bytes) {
      given += chunk.length;
      yield chunk;
    }
  };
  try {
    yield* through(counted(), gunzip);
  } catch (error) {
    throw isOfGzip(error) ? damaged("it cannot be decompressed completely") : error;
  }
  // zlib ignores bytes after the end of the stream.
  if (gunzip.bytesWritten !== given) throw damaged("it has trailing data");
}

async function* through(
  bytes: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncGenerator<Buffer> {
  // A failure also destroys the transform, so its reader receives the error.
  const feeding = pipeline(Readable.from(bytes), transform).catch(() => {});
  try {
    for await (const chunk of transform) yield chunk;
  } finally {
    transform.destroy();
    await feeding;
  }
}

function isOfGzip(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
