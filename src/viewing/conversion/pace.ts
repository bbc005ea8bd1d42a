/** How fast a head converts: seconds of film in a second in which it had something to do. */
export interface Pace {
  /** It has something to do from now on. */
  readonly work: () => void;
  /** It has nothing to do. */
  readonly rest: () => void;
  /** So much film is made, in microseconds. */
  readonly made: (film: number) => void;
  /** Over the last seconds of work; `null` = it has not worked for so long yet. */
  readonly rate: () => number | null;
  /** Over all of its work; `null` = too little to say. */
  readonly whole: () => number | null;
}

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
export function createPace(now: () => number): Pace {
  const samples: Sample[] = [{ busyMs: 0, film: 0 }];
  let busyMs = 0;
  let film = 0;
  let since: number | null = now();

  const busyNow = (): number => busyMs + (since === null ? 0 : now() - since);

  return {
    work: () => {
      since ??= now();
    },
    rest: () => {
      busyMs = busyNow();
      since = null;
    },
    made: (more) => {
      film += more;
      samples.push({ busyMs: busyNow(), film });
      if (samples.length > mostSamples) samples.shift();
    },
    rate: () => {
      const until = busyNow();
      const from = samples.findLast((sample) => until - sample.busyMs >= paceMs);
      if (from === undefined) return null;
      return (film - from.film) / 1000 / (until - from.busyMs);
    },
    whole: () => {
      const ms = busyNow();
      return film > 0 && ms >= leastWholeMs ? film / 1000 / ms : null;
    },
  };
}
