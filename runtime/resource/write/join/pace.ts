/**
 * What storing new records of one resource has cost lately, and so how many of them may be stored together: as far as
 * that tells, no record takes longer, with its wait for others, than twice as long as if each were stored by a statement
 * of its own. It tells nothing of the first two of a burst (`pauseMs`), nor of those that PostgreSQL refuses together
 * and that are then stored each alone. Times are milliseconds.
 */
export interface Pace {
  /** A statement for one record; null until one was measured. */
  single: number | null;
  /** What further records have added to the time of statements, and how many they were; older ones count less. */
  added: number;
  further: number;
  /** The most records that a statement may take, whatever it is said to cost; it grows to `limit`. */
  most: number;
  readonly limit: number;
  /** When what is known of further records is forgotten; by the clock of `performance.now()`. */
  until: number;
  /** For how long that holds where storing records together does not pay. */
  pause: number;
}

/**
 * Records of a statement: at most 50, and five for each connection. Of a statement's own 0.3 ms of processor time each of
 * 50 rows has 6 µs, beside 120 of its own: more rows gain nothing. With fewer connections than ten, more rows would hold
 * up each other for too long when they met a lock and were stored each alone (`patienceMs`).
 */
const maxRows = { all: 50, perConnection: 5 };
/** What is not measured is tried with two records, which take twice the time of one at most; then with twice as many. */
const firstRows = 2;
/** Of eight statements the last one counts as much as it takes: one that a pause of the process delayed changes little. */
const weight = 1 / 8;
/**
 * One that took longer than this many times the others, such as one that waited for a lock, counts as that: with its
 * weight it changes the mean by an eighth, and a cost that has really grown is known after some ten statements.
 */
const maxOutlier = 2;
/** Some four statements for several records are remembered: with fewer, chance would decide what the next may take. */
const kept = 0.75;
/** Records of the next burst may be others: a second later the sizes are tried again, which takes a few statements. */
const heldMs = 1_000;
/**
 * It pays where a further record takes half as long as a statement of its own at most: with less gain, those that are
 * first in a statement would wait for the others in vain. Here it is a quarter.
 */
const payingShare = 1 / 2;
/**
 * Where it does not pay, two records may take half as long again as twice their time at each new attempt: first soon, as
 * the measurement itself may be wrong, then every ten seconds, which of a thousand records are one or two at most.
 */
const pauseMs = { first: 10, last: 10_000 };
/** Of its own time a record waits for that share: what is left of twice the time is for the others in its statement. */
const waitingShare = 3 / 4;
/** Timers are no finer than `least`; a time that is not known is not waited for any longer than `unknown`. */
const waitMs = { least: 1, unknown: 10 };

/** `poolSize`: the connections of the process. */
export function newPace(poolSize: number): Pace {
  const limit = Math.min(maxRows.all, maxRows.perConnection * poolSize);
  const unknown = { added: 0, further: 0, most: firstRows, until: 0 };
  return { single: null, ...unknown, limit, pause: pauseMs.first };
}

/** Notes a statement for one record. */
export function noteSingle(pace: Pace, took: number): void {
  const before = pace.single ?? took;
  pace.single = before + (Math.min(took, maxOutlier * before) - before) * weight;
}

/** Notes a statement for several records. */
export function noteSeveral(pace: Pace, rows: number, took: number): void {
  pace.added = pace.added * kept + Math.max(0, took - (pace.single ?? took));
  pace.further = pace.further * kept + rows - 1;
  if (rows >= pace.most) pace.most = Math.min(2 * pace.most, pace.limit);
  const pays = isPaying(pace);
  pace.until = performance.now() + (pays ? heldMs : pace.pause);
  pace.pause = pays ? pauseMs.first : Math.min(2 * pace.pause, pauseMs.last);
}

/** Whether a record may wait for others. */
export function mayWait(pace: Pace): boolean {
  if (pace.further > 0 && performance.now() >= pace.until) {
    Object.assign(pace, { added: 0, further: 0, most: firstRows });
  }
  return pace.further === 0 || isPaying(pace);
}

function isPaying({ single, added, further }: Pace): boolean {
  return single !== null && added <= single * payingShare * further;
}

/**
 * For how long a record waits for others at most. `load` is how many times more records are being stored than there are
 * connections: each by itself would wait for one as many times.
 */
export function longestWait({ single }: Pace, load = 1): number {
  if (single === null) return waitMs.unknown;
  return Math.max(waitMs.least, single * Math.max(1, load) * waitingShare);
}

/** How many records one statement may take when the first has waited for so long; `load` as above. */
export function mostAfter(
  { single, added, further, most }: Pace,
  { waited, load = 1 }: { readonly waited: number; readonly load?: number },
): number {
  if (single === null) return 1;
  const own = single * Math.max(1, load);
  const each = further === 0 ? single * payingShare : added / further;
  const rows = 1 + Math.floor((2 * own - waited - single) / Math.max(each, Number.EPSILON));
  return Math.max(1, Math.min(rows, most));
}
