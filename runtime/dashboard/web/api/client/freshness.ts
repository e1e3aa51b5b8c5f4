/** Milliseconds for which lists, records and numbers count as fresh. */
export const brief = 30_000;

/** Milliseconds for which settings and descriptors count as fresh. */
export const long = 300_000;
