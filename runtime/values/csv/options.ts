/** The encodings in which a file may be. */
export const encodings = ["utf-8", "windows-1252", "utf-16"] as const;

export type Encoding = (typeof encodings)[number];

/** What may stand before the decimals of a number. */
export const decimals = [".", ","] as const;

export type Decimal = (typeof decimals)[number];
