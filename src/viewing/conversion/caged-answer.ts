/** Short runs of a transcoder, of which the whole output is wanted. */
import type { TranscoderArguments } from './argument-parts.ts';
import type { Cage, CagedRun } from './cage.ts';

/** What a run gave. */
export interface Answer {
  readonly output: Buffer;
  /** Bytes that it wrote, also those beyond what is kept. */
  readonly bytes: number;
  /** The end of its error output. */
  readonly said: string;
  /** `null` = it was killed, or never began. */
  readonly code: number | null;
}

const limits = { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 30 };
const answerMs = 20_000;
const mostKept = 16 * 1024 * 1024;

/** Runs it to its end, for at most 20 seconds or as many milliseconds as are said. */
export async function answerOf(
  cage: Cage,
  args: TranscoderArguments,
  { mostMs = answerMs, ...more }: Partial<Omit<CagedRun, 'args'>> & { mostMs?: number } = {},
): Promise<Answer> {
  const program = cage.run({ input: null, limits, ...more, args });
  const timer = setTimeout(program.kill, mostMs);
  const parts: Buffer[] = [];
  let bytes = 0;
  program.output.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= mostKept) parts.push(part);
  });
  const { said, code } = await program.ended;
  clearTimeout(timer);
  return { output: Buffer.concat(parts), bytes, said, code };
}

/** In one line, of a length that people read. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300);
