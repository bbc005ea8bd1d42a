import { openSync, closeSync } from 'node:fs';
import { createCage, type Cage, type CageMode } from '../../../src/viewing/conversion/cage.ts';
import type { TranscoderArguments } from '../../../src/viewing/conversion/argument-parts.ts';
import { openTranscoder } from '../../../src/viewing/conversion/transcoder.ts';

const searchPath = process.env['PATH'] ?? '';

/** The transcoder of this machine in its cage; without one, why tests that need it are skipped. */
export const cagedTranscoder = await openTranscoder({ ffmpeg: null, mode: 'auto', searchPath });

/** Words for the names of tests that need it. */
export const cageNeeded = `(needs ffmpeg and bubblewrap${
  cagedTranscoder.kind === 'ready' ? '' : `: ${cagedTranscoder.why}`
})`;

/** The cage of this machine, or a run without one. */
export function cageOf(mode: CageMode): Cage {
  const cage = createCage({ program: '/usr/bin/ffmpeg', mode, searchPath });
  if (typeof cage === 'string') throw new Error(cage);
  return cage;
}

/** What a run gave. */
export interface CagedOutput {
  readonly code: number | null;
  readonly bytes: Buffer;
  readonly said: string;
}

/** Runs these arguments over a file, or none. */
export async function runCaged(
  cage: Cage,
  args: TranscoderArguments,
  file: string | null = null,
  memoryBytes = 4 * 1024 ** 3,
): Promise<CagedOutput> {
  const input = file === null ? null : openSync(file, 'r');
  try {
    const program = cage.run({ args, input, limits: { memoryBytes, cpuSeconds: 60 } });
    const parts: Buffer[] = [];
    program.output.on('data', (part: Buffer) => parts.push(part));
    const { code, said } = await program.ended;
    return { code, said, bytes: Buffer.concat(parts) };
  } finally {
    if (input !== null) closeSync(input);
  }
}
