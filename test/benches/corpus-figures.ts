import { createManifestReader } from '../../kernel/run/manifest/index.ts';
import { openArchive } from '../../kernel/run/packages/index.ts';
import { attemptsOf, breakOutOfVm, openPrison } from '../escapes/burglary.ts';
import { programClasses, serviceClasses, valueClasses } from '../escapes/corpus/index.ts';
import { createPackage, createPublisher } from '../support/plugins/packages.ts';

/** How many attempts of how many classes. */
export interface CorpusSize {
  readonly attempts: number;
  readonly classes: number;
}

/** What came of the corpus. */
export interface CorpusFigures {
  readonly programs: CorpusSize;
  readonly services: CorpusSize;
  readonly walls: CorpusSize;
  /** Programs that succeeded in an isolate, and under a plain `node:vm`. */
  readonly escapes: number;
  readonly vmEscapes: number;
  /** Bits of a package that were turned over, one at a time, and packages that were taken all the same. */
  readonly flips: number;
  readonly takenFlips: number;
}

/** Runs the programs in both homes, and turns over every bit of a package. */
export async function measureCorpus(): Promise<CorpusFigures> {
  const prison = await openPrison();
  let escapes = 0;
  try {
    for (const { wasm = false, attempts } of programClasses) {
      for (const attempt of attemptsOf({ attempts })) {
        if ((await prison.hold(attempt, wasm)) !== null) escapes += 1;
      }
    }
  } finally {
    await prison.close();
  }
  const plain = programClasses.filter(({ wasm }) => wasm !== true).flatMap(attemptsOf);
  const { length: vmEscapes } = await breakOutOfVm(plain);
  const flipped = await flipEveryBit();
  return {
    programs: sizeOf(programClasses),
    services: sizeOf(serviceClasses),
    walls: sizeOf(valueClasses),
    ...{ escapes, vmEscapes, ...flipped },
  };
}

function sizeOf(classes: readonly { readonly attempts: object }[]): CorpusSize {
  const attempts = classes.reduce((sum, one) => sum + Object.keys(one.attempts).length, 0);
  return { attempts, classes: classes.length };
}

async function flipEveryBit(): Promise<Pick<CorpusFigures, 'flips' | 'takenFlips'>> {
  const reader = createManifestReader();
  const sound = createPackage({ id: 'a-plugin' }, { signer: createPublisher() });
  let takenFlips = 0;
  for (let bit = 0; bit < sound.length * 8; bit += 1) {
    const copy = Uint8Array.from(sound);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if ((await openArchive(copy, { reader })).ok) takenFlips += 1;
  }
  return { flips: sound.length * 8, takenFlips };
}
