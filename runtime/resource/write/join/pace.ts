/**
 * What storing writes of one kind has cost lately, and so how many of them may be stored together: as far as that tells,
 * none takes longer, with its wait for others, than twice as long as if each were stored by a statement of its own. It
 * tells nothing of those that come before enough statements have ended (`decisive`), nor of those that PostgreSQL refuses
 * together and that are then stored each alone. Times are milliseconds.
 */
export interface Pace {
  /** A statement for one record; null until one was measured. */
  single: number | null;
  /** When a record was last stored by itself to measure that; by the clock of `performance.now()`. */
  measured: number;
  /** What further records have added to the time of statements, and how many they were; older ones count less. */
  added: number;
  further: number;
  /** The statements for several records of which those tell. */
  statements: number;
  /** Records that waited for others in vain since then. */
  alone: number;
  /** Whether records may be stored together: it pays, or that is not known yet. */
  mayPay: boolean;
  /** The most records that a statement may take, whatever it is said to cost; it grows to `limit`. */
  most: number;
  readonly limit: number;
  /** When what is known of further records is forgotten; by the clock of `performance.now()`, 0 where nothing is. */
  until: number;
  /** For how long that holds where storing records together does not pay. */
  pause: number;
}

/**
 * Records of a statement: at most 50, and ten for each of a resource's connections, which are half of the pool's. Of a
 * statement's own 0.3 ms of processor time each of 50 rows has 6 µs, beside 120 of its own: more rows gain nothing. With
 * fewer connections than five, more rows would hold up each other for too long when they met a lock and were stored each
 * alone (`patienceMs`).
 */
const maxRows = { all: 50, perConnection: 10 };
/** A statement that is expected to take longer is not sent: on a lent connection it would be cancelled after 200 ms. */
const longestMs = 100;
/** What is not measured is tried with two records, which take twice the time of one at most; then with twice as many. */
const firstRows = 2;
/** Of eight statements the last one counts as much as it takes: one that a pause of the process delayed changes little. */
const weight = 1 / 8;
/**
 * One that took longer than this many times the others, such as one that waited for a lock, counts as that: with its
 * weight it changes the mean by an eighth, and a cost that has really grown is known after some ten statements.
 */
const maxOutlier = 2;
/**
 * So often one record is stored by itself while others are stored together: a first time that was measured too long, of a
 * process that had just started, would otherwise allow statements of many for as long as they come.
 */
const measureMs = 100;
/** Some four statements for several records are remembered: with fewer, chance would decide what the next may take. */
const kept = 0.75;
/** Statements for several records after which that is believed, and waits in vain likewise: no single delay decides. */
const decisive = 5;
/** Records of the next burst may be others: a second later the sizes are tried again, which takes a few statements. */
const heldMs = 1_000;
/**
 * It pays where a further record takes half as long as a statement of its own at most: with less gain, those that are
 * first in a statement would wait for the others in vain. Here it is a quarter.
 */
const payingShare = 1 / 2;
/**
 * Where it does not pay, two records may take half as long again as twice their time at each new attempt, until some
 * statements have shown it (`decisive`): first soon, as the measurement itself may be wrong, then every ten seconds.
 */
const pauseMs = { first: 10, last: 10_000 };
/** Of its own time a record waits for that share: what is left of twice the time is for the others in its statement. */
const waitingShare = 3 / 4;
/** Timers are no finer than `least`; a time that is not known is not waited for any longer than `unknown`. */
const waitMs = { least: 1, unknown: 10 };

const unknown = {
  ...{ added: 0, further: 0, statements: 0, alone: 0 },
  ...{ mayPay: true, most: firstRows, until: 0 },
};

/** `poolSize`: the connections of the process. */
export function newPace(poolSize: number): Pace {
  const connections = Math.max(1, Math.floor(poolSize / 2));
  const limit = Math.min(maxRows.all, maxRows.perConnection * connections);
  return { single: null, measured: 0, ...unknown, limit, pause: pauseMs.first };
}

/** Notes a statement for one record. */
export function noteSingle(pace: Pace, took: number): void {
  const before = pace.single ?? took;
  pace.measured = performance.now();
  pace.single = before + (Math.min(took, maxOutlier * before) - before) * weight;
}

/** Notes a statement for several records. */
export function noteSeveral(pace: Pace, rows: number, took: number): void {
  const single = pace.single ?? took;
  const expected = single + (rows - 1) * eachOf(pace, single);
  const outlier = pace.statements < decisive ? Number.POSITIVE_INFINITY : maxOutlier * expected;
  // No further record takes longer than one by itself.
  pace.added = pace.added * kept + Math.min(took, rows * single, outlier) - single;
  pace.further = pace.further * kept + rows - 1;
  pace.statements += 1;
  pace.alone = 0;
  if (rows >= pace.most) pace.most = Math.min(2 * pace.most, pace.limit);
  const wasPaying = pace.mayPay;
  const isKnown = pace.statements >= decisive;
  pace.mayPay = !isKnown || eachOf(pace, single) <= single * payingShare;
  const now = performance.now();
  if (pace.mayPay) {
    pace.until = now + heldMs;
    if (isKnown) pace.pause = pauseMs.first;
  } else if (wasPaying) {
    pace.until = now + pace.pause;
    pace.pause = Math.min(2 * pace.pause, pauseMs.last);
  }
}

/** Notes that a record has waited and no other one came: with three clients, each third record would wait in vain. */
export function noteAlone(pace: Pace): void {
  pace.alone += 1;
  if (pace.alone < decisive) return;
  pace.mayPay = false;
  pace.until = performance.now() + heldMs;
}

/** Whether a record may wait for others. Now and then one may not, by which the time of a statement is measured. */
export function mayWait(pace: Pace): boolean {
  const now = performance.now();
  if (pace.until > 0 && now >= pace.until) Object.assign(pace, unknown);
  if (now >= pace.measured + measureMs) {
    pace.measured = now;
    return false;
  }
  return pace.mayPay && 2 * (pace.single ?? 0) <= longestMs;
}

/**
 * For how long a record waits for others at most. `load` is how many times as many records are being stored as there are
 * connections.
 */
export function longestWait(pace: Pace, load = 1): number {
  const { single } = pace;
  if (single === null) return waitMs.unknown;
  return Math.max(waitMs.least, ownTime(pace, single, load) * waitingShare);
}

/** How many records one statement may take when the first has waited for so long; `load` as above. */
export function mostAfter(
  pace: Pace,
  { waited, load = 1 }: { readonly waited: number; readonly load?: number },
): number {
  const { single, most, statements } = pace;
  if (single === null) return 1;
  const time = Math.min(2 * ownTime(pace, single, load) - waited, longestMs);
  const rows = 1 + Math.floor((time - single) / Math.max(eachOf(pace, single), Number.EPSILON));
  const least = statements < decisive ? firstRows : 1;
  return Math.max(least, Math.min(rows, most));
}

/**
 * How long a record by itself would take, which waits for a connection while others are stored. The time measured for a
 * statement includes the delay of a busy process, which a record meets only once; so only what a further record adds is
 * multiplied by the load.
 */
function ownTime(pace: Pace, single: number, load: number): number {
  return single + Math.max(0, load - 1) * eachOf(pace, single);
}

/** What a further record adds to the time of a statement. */
function eachOf({ added, further }: Pace, single: number): number {
  return further === 0 ? single * payingShare : Math.max(0, added / further);
}
