interface PictureFormat {
  readonly name: string;
  readonly type: string;
  /** Whether all browsers display the format. */
  readonly isDrawn: boolean;
}

/** The formats that a picture field accepts; some servers also decode HEIC. */
export const pictureFormats = [
  { name: "JPEG", type: "image/jpeg", isDrawn: true },
  { name: "PNG", type: "image/png", isDrawn: true },
  { name: "WebP", type: "image/webp", isDrawn: true },
  { name: "GIF", type: "image/gif", isDrawn: true },
  { name: "AVIF", type: "image/avif", isDrawn: true },
  { name: "TIFF", type: "image/tiff", isDrawn: false },
  // An SVG may contain scripts: browsers get pictures rendered from it instead.
  { name: "SVG", type: "image/svg+xml", isDrawn: false },
] as const satisfies readonly PictureFormat[];

export type PictureFormatName = (typeof pictureFormats)[number]["name"];
