import type { CagedProgram } from './cage.ts';

/** The output of a program. One that writes nothing while it is read is killed. */
export async function* watchedOutput(
  { output, kill }: Pick<CagedProgram, 'output' | 'kill'>,
  hangMs: number,
): AsyncGenerator<Buffer> {
  const parts: AsyncIterator<Buffer, undefined> = output[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(kill, hangMs);
    const part = await parts.next().finally(() => clearTimeout(timer));
    if (part.done === true) return;
    yield part.value;
  }
}
