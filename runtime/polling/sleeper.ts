/** Waits between polls of the database. */
export interface Sleeper {
  /** Resolves after `ms` milliseconds, or when woken; immediately if woken since the last sleep. */
  sleep(ms: number): Promise<void>;
  /** Ends the current sleep, or the next one. */
  wake(): void;
}

export function newSleeper(): Sleeper {
  let isWoken = false;
  let endSleep = doNothing;

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, isWoken ? 0 : ms);
      timer.unref();
      endSleep = end;

      function end(): void {
        clearTimeout(timer);
        isWoken = false;
        endSleep = doNothing;
        resolve();
      }
    });
  }

  return {
    sleep,
    wake: () => {
      isWoken = true;
      endSleep();
    },
  };
}

function doNothing(): void {}
