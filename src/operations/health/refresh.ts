import type { Clock } from '../../platform/clock.ts';

type Refresh = () => undefined | Promise<undefined>;
/** Brings something up to date; one that returns no promise did so. */
type Look = () => unknown;

/** The longest wait of a request for a look that hangs. */
const timeoutMs = 3000;

/** All looks at once; it waits for none longer than the limit. */
export const allOf =
  (clock: Clock, looks: readonly Look[]): Refresh =>
  () => {
    const pending = looks.map((look) => look()).filter((one) => one instanceof Promise);
    if (pending.length === 0) return undefined;
    return new Promise((resolve) => {
      const stopWaiting = clock.after(timeoutMs, () => resolve(undefined));
      void Promise.allSettled(pending).then(() => {
        stopWaiting();
        resolve(undefined);
      });
    });
  };
