/**
 * When a program counts as hanging: it writes nothing while it is read, and does not work either. One
 * that works may take longer for a segment: a slow processor, or a film with few keyframes. One that
 * waits for its file may not: the file is on a disk that wakes up, which takes less.
 */
import type { CagedProgram } from './cage.ts';

/** Milliseconds without a byte. */
export interface HangLimits {
  /** Of a program that uses no processor time meanwhile. */
  readonly idleMs: number;
  /** Of any. */
  readonly busyMs: number;
}

export const usualHangLimits: HangLimits = { idleMs: 15_000, busyMs: 60_000 };

/** How a program hangs: it waits for its file, or works without result. */
export type Hang = 'idle' | 'busy';

/** How often the output is looked at within the shorter limit. */
const looks = 15;

/** The output of a program. One that hangs is killed, which ends its output; its code is `null` then. */
export async function* watchedOutput(
  program: Pick<CagedProgram, 'output' | 'kill' | 'processorTime'>,
  limits: HangLimits,
  onHang: (hang: Hang) => void = () => undefined,
): AsyncGenerator<Buffer> {
  const parts: AsyncIterator<Buffer, undefined> = program.output[Symbol.asyncIterator]();
  let hangs = false;
  const end = (hang: Hang): void => {
    hangs = true;
    onHang(hang);
    program.kill();
  };
  for (;;) {
    const release = watch(program, limits, end);
    const part = await parts
      .next()
      .catch((error: unknown) => {
        if (hangs) return { done: true } as const;
        throw error;
      })
      .finally(release);
    if (part.done === true) return;
    yield part.value;
  }
}

/** Says when the program hangs, until the returned function is called. */
function watch(
  { processorTime }: Pick<CagedProgram, 'processorTime'>,
  { idleMs, busyMs }: HangLimits,
  onHang: (hang: Hang) => void,
): () => void {
  const lookMs = idleMs / looks;
  let idleLooks = 0;
  let allLooks = 0;
  let used: number | null = null;
  let isReleased = false;
  const look = async (): Promise<void> => {
    const ticks = await processorTime();
    if (isReleased) return;
    allLooks += 1;
    // A system that does not tell what a program uses leaves only the longer limit.
    idleLooks = ticks !== null && ticks === used ? idleLooks + 1 : 0;
    used = ticks;
    if (idleLooks >= looks) onHang('idle');
    else if (allLooks * lookMs >= busyMs) onHang('busy');
  };
  const timer = setInterval(() => void look(), lookMs);
  return () => {
    isReleased = true;
    clearInterval(timer);
  };
}
