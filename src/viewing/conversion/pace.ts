/** How fast a head converts: seconds of film in a second in which it had something to do. */
export type Pace = ReturnType<typeof createPace>;

interface Sample {
  readonly busyMs: number;
  readonly film: number;
}

/** The rate is that of the last so many milliseconds of work. */
export const paceMs = 10_000;
const mostSamples = 200;
/** Milliseconds of work that say something. */
const leastWholeMs = 2000;

/** Starts with work. */
export function createPace(now: () => number) {
  const samples: Sample[] = [{ busyMs: 0, film: 0 }];
  let busyMs = 0;
  let film = 0;
  let since: number | null = now();

  const busyNow = (): number => busyMs + (since === null ? 0 : now() - since);

  return {
    /** It has something to do from now on. */
    work: (): void => {
      since ??= now();
    },
    /** It has nothing to do. */
    rest: (): void => {
      busyMs = busyNow();
      since = null;
    },
    /** So much film is made, in microseconds. */
    made: (more: number): void => {
      film += more;
      samples.push({ busyMs: busyNow(), film });
      if (samples.length > mostSamples) samples.shift();
    },
    /** Over the last seconds of work; `null` = it has not worked for so long yet. */
    rate: (): number | null => {
      const until = busyNow();
      const from = samples.findLast((sample) => until - sample.busyMs >= paceMs);
      if (from === undefined) return null;
      return (film - from.film) / 1000 / (until - from.busyMs);
    },
    /** Over all of its work; `null` = too little to say. */
    whole: (): number | null => {
      const ms = busyNow();
      return film > 0 && ms >= leastWholeMs ? film / 1000 / ms : null;
    },
  };
}
