export const encodings = ["utf-8", "windows-1252", "utf-16"] as const;

export type Encoding = (typeof encodings)[number];

export const decimals = [".", ","] as const;

export type Decimal = (typeof decimals)[number];
