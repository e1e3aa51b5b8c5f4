import { z } from "zod";
import type { RefusalCode, RefusalDetails } from "../../../errors/index.js";
import type { Picture } from "../pixels/encode.js";
import type { Drawing, Header } from "../pixels/header.js";
import type { Output } from "../rules/size.js";

/** Reads headers and processes pictures. It implements the functions with those names, in this process or another. */
export interface Decoder {
  readHeader(path: string, drawing?: Drawing | null): Promise<Header>;
  makePictures(header: Header, outputs: readonly Output[]): Promise<readonly Picture[]>;
}

/** One job of the decoding process, for either function of a `Decoder`. */
export type Job =
  | { readonly kind: "header"; readonly path: string; readonly drawing: Drawing | null }
  | { readonly kind: "pictures"; readonly header: Header; readonly outputs: readonly Output[] };

/** The drawing of a job; null for a raster picture. */
export function drawingOf(job: Job): Drawing | null {
  return job.kind === "header" ? job.drawing : job.header.drawing;
}

export type Outcome =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly details: RefusalDetails }
  | { readonly kind: "failed"; readonly error: Error };

// Both processes run the same version of this package, and the kind of a job determines its result.
export const request = z.object({ id: z.int(), job: z.custom<Job>() });
export const response = z.object({ id: z.int(), outcome: z.custom<Outcome>() });
export type Request = z.output<typeof request>;
export type Response = z.output<typeof response>;
