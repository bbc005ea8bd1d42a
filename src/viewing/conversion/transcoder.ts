/**
 * The transcoder of this machine: found, asked for its version and encoders, and tried in its cage. The
 * cage counts only if a file of the server and a socket cannot be opened from inside.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answerOf, oneLine } from './caged-answer.ts';
import { createCages, type Cage, type CageMode, type CageOrWhy, type NoCage } from './cage.ts';
import { devicePlaces, findHardware, type HardwareMode } from './hardware.ts';
import { softwareEncoder, type UsedEncoder } from './picture-encoders.ts';
import { findProgram, programAt } from '../../platform/programs.ts';
import { escapeTest, networkTest, question, selfTest } from './test-arguments.ts';

/** A transcoder that can be used. */
export interface Transcoder {
  readonly kind: 'ready';
  readonly cage: Cage;
  /** As it says itself, such as `5.1.9-0+deb12u1`. */
  readonly version: string;
  /** Whether it can map HDR to SDR. */
  readonly mapsTones: boolean;
  readonly encoders: ReadonlySet<string>;
  /** What encodes pictures. */
  readonly encoder: UsedEncoder;
  /** Why no device encodes, where the admin allows it; `null` = one does, or none is allowed. */
  readonly withoutHardware: string | null;
}

/** No conversion, and why, in one sentence for people. */
export interface NoTranscoder {
  readonly kind: 'missing';
  readonly why: string;
}

/** What is looked for. */
export interface TranscoderSettings {
  /** A path; `null` = `ffmpeg` in `PATH`. */
  readonly ffmpeg: string | null;
  readonly mode: CageMode;
  /** Folders of programs, as in `PATH`. */
  readonly searchPath: string;
  /** Which devices may encode; none when absent. */
  readonly hardware?: HardwareMode;
  /** Files in which devices may be; those in `/dev` when absent. */
  readonly places?: readonly string[];
}

const missing = (why: string): NoTranscoder => ({ kind: 'missing', why });

/** Finds the programs and starts none: conversion that is missing for sure is known at once. */
export function findTranscoder({
  ffmpeg,
  mode,
  searchPath,
}: Pick<TranscoderSettings, 'ffmpeg' | 'mode' | 'searchPath'>):
  | readonly CageOrWhy[]
  | NoTranscoder {
  const program = ffmpeg === null ? findProgram('ffmpeg', searchPath) : programAt(ffmpeg);
  if (program === null)
    return missing(
      ffmpeg === null
        ? 'ffmpeg is not installed, or not in PATH (--ffmpeg names it).'
        : `${ffmpeg} of --ffmpeg is not a program that the server can run.`,
    );
  const cages = createCages({ program, mode, searchPath });
  return cages.some((cage) => 'run' in cage) ? cages : withoutCage(cages);
}

/** Why no cage holds, of each tier. */
const withoutCage = (tiers: readonly CageOrWhy[]): NoTranscoder => {
  const reasons = tiers.flatMap((one) =>
    'why' in one ? `${tierNames[one.tier]}: ${one.why}` : [],
  );
  return missing(
    `ffmpeg has no cage. ${reasons.join(' ')} Only --transcoder-cage none converts without one.`,
  );
};

const tierNames = { bwrap: 'In namespaces', landlock: 'With Landlock', none: 'Without a cage' };

/** Finds and tries it. Never rejects; takes about a second. */
export async function openTranscoder(
  settings: TranscoderSettings,
): Promise<Transcoder | NoTranscoder> {
  const cages = findTranscoder(settings);
  if ('kind' in cages) return cages;
  try {
    const found = await firstThatHolds(cages);
    if ('cage' in found) return await tried(found, settings);
    return settings.mode === 'auto'
      ? withoutCage(found)
      : missing(found.map(({ why }) => why).join(' '));
  } catch (error) {
    return missing(`ffmpeg could not be tried: ${oneLine(String(error))}`);
  }
}

/** The first version whose options are used. */
const leastVersion = [5, 1] as const;

/** A cage that holds, with the version of the transcoder in it. */
export interface HeldCage {
  readonly cage: Cage;
  readonly version: string;
}

/** The first of these cages that holds, or why none does. */
export async function firstThatHolds(
  cages: readonly CageOrWhy[],
): Promise<HeldCage | readonly NoCage[]> {
  const failed: NoCage[] = [];
  for (const cage of cages) {
    const held = 'run' in cage ? await holds(cage) : cage;
    if ('cage' in held) return held;
    failed.push(held);
  }
  return failed;
}

/** Runs the transcoder in the cage and tries to get out of it. */
async function holds(cage: Cage): Promise<HeldCage | NoCage> {
  const { tier } = cage;
  const asked = await answerOf(cage, question('version'));
  const version = /^ffmpeg version (\S+)/.exec(textOf(asked))?.[1];
  if (version === undefined) {
    const why = `ffmpeg does not run: ${oneLine(asked.said) || 'It does not say its version.'}`;
    return { tier, why };
  }
  const escape = tier === 'none' ? null : await escapeFrom(cage);
  return escape === null
    ? { cage, version }
    : { tier, why: `${escape} could be opened from inside.` };
}

async function tried(
  { cage, version }: HeldCage,
  { hardware = 'none', places }: TranscoderSettings,
): Promise<Transcoder | NoTranscoder> {
  if (isTooOld(version)) return missing(`ffmpeg ${version} is too old: 5.1 or later is needed.`);
  const [listed, filtering, { bytes, said }] = await Promise.all([
    answerOf(cage, question('encoders')),
    answerOf(cage, question('filters')),
    answerOf(cage, selfTest()),
  ]);
  const encoders = namesIn(textOf(listed));
  if (!encoders.has('libx264')) return missing(`ffmpeg ${version} has no encoder libx264.`);
  if (bytes === 0) return missing(`ffmpeg ${version} encodes nothing here: ${oneLine(said)}`);
  const filters = namesIn(textOf(filtering));
  const mapsTones = filters.has('zscale') && filters.has('tonemap');
  const ready = { kind: 'ready', cage, version, mapsTones, encoders } as const;
  if (hardware === 'none') return { ...ready, encoder: softwareEncoder, withoutHardware: null };
  const search = { mode: hardware, encoders, places: places ?? (await devicePlaces()) };
  const found = await findHardware(cage, search);
  return found.kind === 'found'
    ? { ...ready, encoder: found.encoder, withoutHardware: null }
    : { ...ready, encoder: softwareEncoder, withoutHardware: found.why };
}

const textOf = ({ output }: { readonly output: Buffer }): string => output.toString('utf8');

/** Versions of a day have no number; they are taken as new. */
function isTooOld(version: string): boolean {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return false;
  const [leastMajor, leastMinor] = leastVersion;
  return (
    Number(major) - leastMajor < 0 || (Number(major) === leastMajor && Number(minor) < leastMinor)
  );
}

/** What a run in the cage could open although it must not; `null` = nothing. */
async function escapeFrom(cage: Cage): Promise<string | null> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-outside-'));
  try {
    const file = path.join(folder, 'outside');
    await writeFile(file, 'outside of the cage');
    if ((await answerOf(cage, escapeTest(file))).bytes > 0) return 'A file of the server';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { said } = await answerOf(cage, networkTest());
  return said.includes('Operation not permitted') ? null : 'A socket';
}

/** The second word of each line of a list, after its flags. */
const namesIn = (list: string): ReadonlySet<string> =>
  new Set([...list.matchAll(/^ *[A-Z.|]{2,6} +(\w+)/gm)].map(([, name = '']) => name));
