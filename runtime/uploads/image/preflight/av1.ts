import type { CodedColours } from "../colours/coded.js";

/** The sequence header of an AV1 stream. Property names follow the AV1 specification. */
export interface Av1Sequence {
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly bitDepth: 8 | 10 | 12;
  readonly isMonochrome: boolean;
  readonly isSubsampledX: boolean;
  readonly isSubsampledY: boolean;
  readonly colours: CodedColours;
}

const sequenceHeader = 1;

/** The sequence header in the first bytes of a stream; null if they do not contain it. */
export function readSequence(stream: Buffer): Av1Sequence | null {
  for (let at = 0; at < stream.length; ) {
    const header = stream.readUInt8(at);
    const type = (header >> 3) & 15;
    at += (header & 4) === 0 ? 1 : 2;
    // A unit without a size field extends to the end.
    const { value, length } = (header & 2) === 0 ? untilEnd(stream, at) : leb128(stream, at);
    at += length;
    if (type === sequenceHeader) return parse(stream.subarray(at, at + value));
    at += value;
  }
  return null;
}

function untilEnd(stream: Buffer, at: number) {
  return { value: Math.max(0, stream.length - at), length: 0 };
}

/** A number in groups of seven bits, least significant first. */
function leb128(bytes: Buffer, at: number): { value: number; length: number } {
  let value = 0;
  for (let length = 0; length < 8; length += 1) {
    const byte = bytes[at + length] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * length);
    if (byte < 0x80) return { value, length: length + 1 };
  }
  return { value, length: 8 };
}

/** Parses `sequence_header_obu` (AV1 specification, section 5.5) up to the colors. */
function parse(bytes: Buffer): Av1Sequence {
  const read = bitReader(bytes);
  const flag = () => read(1) === 1;
  const profile = read(3);
  flag(); // still_picture
  const isReduced = flag();
  if (isReduced) read(5);
  else skipOperatingPoints(read);
  const widthBits = read(4) + 1;
  const heightBits = read(4) + 1;
  const maxWidth = read(widthBits) + 1;
  const maxHeight = read(heightBits) + 1;
  if (!isReduced && flag()) read(7);
  read(3); // superblock size, intra tools
  if (!isReduced) skipInterTools(read);
  read(3); // superres, cdef, restoration
  return { maxWidth, maxHeight, ...colourConfig(read, profile) };
}

type Read = (count: number) => number;

function skipOperatingPoints(read: Read): void {
  let delayBits = 0;
  if (read(1) === 1) {
    read(64); // timing_info
    if (read(1) === 1) skipVlc(read);
    if (read(1) === 1) {
      delayBits = read(5) + 1;
      read(42);
    }
  }
  const hasInitialDelay = read(1) === 1;
  const points = read(5) + 1;
  for (let point = 0; point < points; point += 1) {
    read(12);
    if (read(5) > 7) read(1);
    if (delayBits > 0 && read(1) === 1) read(2 * delayBits + 1);
    if (hasInitialDelay && read(1) === 1) read(4);
  }
}

function skipVlc(read: Read): void {
  let zeros = 0;
  while (zeros < 32 && read(1) === 0) zeros += 1;
  if (zeros < 32) read(zeros);
}

function skipInterTools(read: Read): void {
  read(4);
  const hasOrderHint = read(1) === 1;
  if (hasOrderHint) read(2);
  const selectsScreenContent = 2;
  const screenContent = read(1) === 1 ? selectsScreenContent : read(1);
  if (screenContent > 0 && read(1) === 0) read(1);
  if (hasOrderHint) read(3);
}

/** Section 5.5.2: `color_config`. */
function colourConfig(read: Read, profile: number) {
  const isHigh = read(1) === 1;
  const isTwelve = profile === 2 && isHigh && read(1) === 1;
  const bitDepth = isTwelve ? (12 as const) : isHigh ? (10 as const) : (8 as const);
  const isMonochrome = profile !== 1 && read(1) === 1;
  const isDescribed = read(1) === 1;
  const [primaries, transfer, matrix] = isDescribed ? [read(8), read(8), read(8)] : [2, 2, 2];
  const shared = { bitDepth, isMonochrome, colours: { primaries, transfer } };
  if (isMonochrome) return { ...shared, isSubsampledX: true, isSubsampledY: true };
  const isRgb = primaries === 1 && transfer === 13 && matrix === 0;
  if (isRgb) return { ...shared, isSubsampledX: false, isSubsampledY: false };
  read(1); // color_range
  if (profile === 0) return { ...shared, isSubsampledX: true, isSubsampledY: true };
  if (profile === 1) return { ...shared, isSubsampledX: false, isSubsampledY: false };
  if (bitDepth !== 12) return { ...shared, isSubsampledX: true, isSubsampledY: false };
  const isSubsampledX = read(1) === 1;
  return { ...shared, isSubsampledX, isSubsampledY: isSubsampledX && read(1) === 1 };
}

/**
 * Returns a function that reads the next number of the given bits, most significant bit first; bits beyond the end are
 * 0.
 */
export function bitReader(bytes: Buffer): (count: number) => number {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let read = 0; read < count; read += 1, at += 1) {
      const byte = bytes[at >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1);
    }
    return value;
  };
}
