import { openSync, closeSync } from 'node:fs';
import { createCages, type Cage, type CageMode } from '../../../src/viewing/conversion/cage.ts';
import type { CageTier } from '../../../src/viewing/conversion/cage-walls.ts';
import type { TranscoderArguments } from '../../../src/viewing/conversion/argument-parts.ts';
import { firstThatHolds, openTranscoder } from '../../../src/viewing/conversion/transcoder.ts';

const searchPath = process.env['PATH'] ?? '';

/** The transcoder of this machine in its cage; without one, why tests that need it are skipped. */
export const cagedTranscoder = await openTranscoder({ ffmpeg: null, mode: 'auto', searchPath });

/** Words for the names of tests that need it. */
export const cageNeeded = `(needs ffmpeg in a cage${
  cagedTranscoder.kind === 'ready' ? '' : `: ${cagedTranscoder.why}`
})`;

export function machineCage(): Cage {
  if (cagedTranscoder.kind === 'missing') throw new Error(cagedTranscoder.why);
  return cagedTranscoder.cage;
}

/** The cage of one tier, whether it holds here or not; or a run without one. */
export function cageOf(tier: CageTier, program = '/usr/bin/ffmpeg'): Cage {
  const mode: CageMode = tier === 'none' ? 'none' : 'auto';
  const cages = createCages({ program, mode, searchPath });
  const cage = cages.find((one) => one.tier === tier);
  if (cage === undefined || !('run' in cage)) throw new Error(cage?.why ?? `There is no ${tier}.`);
  return cage;
}

/** Why a tier does not hold on this machine; `null` = it holds. */
export async function whyNot(tier: CageTier): Promise<string | null> {
  const cages = createCages({ program: '/usr/bin/ffmpeg', mode: 'auto', searchPath });
  const found = await firstThatHolds(cages.filter((one) => one.tier === tier));
  return 'cage' in found ? null : found.map(({ why }) => why).join(' ');
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
