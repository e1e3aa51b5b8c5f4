/** Waits between looks at the database. */
export interface Nap {
  /** Resolves after so many milliseconds, or when news come; at once when some came since the last one. */
  take(ms: number): Promise<void>;
  /** There is something to look for. */
  end(): void;
}

export function openNap(): Nap {
  let hasNews = false;
  let wakeUp = nobodySleeps;

  function take(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(rise, hasNews ? 0 : ms);
      timer.unref();
      wakeUp = rise;

      function rise(): void {
        clearTimeout(timer);
        hasNews = false;
        wakeUp = nobodySleeps;
        resolve();
      }
    });
  }

  return {
    take,
    end: () => {
      hasNews = true;
      wakeUp();
    },
  };
}

function nobodySleeps(): void {}
