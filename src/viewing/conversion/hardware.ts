/** Finds an encoder of a device that works: each candidate encodes ten pictures in the cage. */
import { readdir } from 'node:fs/promises';
import { answerOf, oneLine } from './caged-answer.ts';
import type { Cage } from './cage.ts';
import {
  deviceSets,
  hardwareKinds,
  pictureEncoders,
  type DevicePlace,
  type HardwareKind,
  type UsedEncoder,
} from './picture-encoders.ts';
import { encoderTest } from './test-arguments.ts';

/** Which devices the admin allows: none, one kind, or the first that works. */
export type HardwareMode = 'none' | 'auto' | HardwareKind;

/** An encoder of a device, or why there is none, in words for admins. */
export type FoundHardware =
  | { readonly kind: 'found'; readonly encoder: UsedEncoder }
  | { readonly kind: 'none'; readonly why: string };

/** Where devices of encoders are. */
export async function devicePlaces(): Promise<readonly string[]> {
  const inFolder = async (folder: string): Promise<readonly string[]> =>
    (await readdir(folder).catch(() => [])).map((name) => `${folder}/${name}`);
  const found = await Promise.all(['/dev', '/dev/dri'].map(inFolder));
  return found.flat();
}

/** What is looked through. */
export interface HardwareSearch {
  readonly mode: Exclude<HardwareMode, 'none'>;
  /** What this ffmpeg was built with. */
  readonly encoders: ReadonlySet<string>;
  /** Files in `/dev`. */
  readonly places: readonly string[];
}

/** Tries them in turn. */
export async function findHardware(
  cage: Cage,
  { mode, encoders, places }: HardwareSearch,
): Promise<FoundHardware> {
  const kinds = mode === 'auto' ? hardwareKinds : [mode];
  const reasons: string[] = [];
  for (const kind of kinds) {
    const sets = deviceSets(kind, places);
    const { h264 } = pictureEncoders[kind].names;
    if (sets.length === 0) reasons.push(`${kind}: there is no device for it.`);
    else if (h264 === null || !encoders.has(h264))
      reasons.push(`${kind}: this ffmpeg has no encoder ${h264 ?? kind}.`);
    else
      for (const devices of sets) {
        const tried = await tryEncoder(cage, kind, devices, encoders);
        if (typeof tried !== 'string') return { kind: 'found', encoder: tried };
        reasons.push(`${kind} on ${devices[0] ?? ''}: ${tried}`);
      }
  }
  return { kind: 'none', why: reasons.join(' ') };
}

/** The encoder with the codecs that it makes; else what it said. H.264 must be one of them. */
async function tryEncoder(
  cage: Cage,
  kind: HardwareKind,
  devices: readonly DevicePlace[],
  encoders: ReadonlySet<string>,
): Promise<UsedEncoder | string> {
  const { names, memoryBytes } = pictureEncoders[kind];
  const codecs: UsedEncoder['codecs'][number][] = [];
  for (const codec of ['h264', 'hevc', 'av1'] as const) {
    const name = names[codec];
    if (name === null || !encoders.has(name)) continue;
    const args = encoderTest({ kind, devices, codecs: [] }, codec);
    const limits = { memoryBytes, cpuSeconds: 30 };
    const { code, bytes, said } = await answerOf(cage, args, { devices, limits });
    if (code === 0 && bytes > 0) codecs.push(codec);
    else if (codec === 'h264') return oneLine(said) || 'It encodes nothing.';
  }
  return { kind, devices, codecs };
}
