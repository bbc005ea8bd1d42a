/**
 * The transcoder of this machine: found, asked for its version and encoders, and tried in its cage. The
 * cage counts only if a file of the server and a socket cannot be opened from inside.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answerOf, oneLine } from './caged-answer.ts';
import { createCage, type Cage, type CageMode } from './cage.ts';
import { devicePlaces, findHardware, type HardwareMode } from './hardware.ts';
import { softwareEncoder, type UsedEncoder } from './picture-encoders.ts';
import { findProgram, programAt } from './programs.ts';
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
}: Pick<TranscoderSettings, 'ffmpeg' | 'mode' | 'searchPath'>): Cage | NoTranscoder {
  const program = ffmpeg === null ? findProgram('ffmpeg', searchPath) : programAt(ffmpeg);
  if (program === null)
    return missing(
      ffmpeg === null
        ? 'ffmpeg is not installed, or not in PATH (--ffmpeg names it).'
        : `${ffmpeg} of --ffmpeg is not a program that the server can run.`,
    );
  const cage = createCage({ program, mode, searchPath });
  if (typeof cage !== 'string') return cage;
  return missing(withoutCage(cage));
}

const withoutCage = (why: string): string =>
  `ffmpeg has no cage: ${why} Only --transcoder-cage none converts without one.`;

/** Finds and tries it. Never rejects; takes about a second. */
export async function openTranscoder(
  settings: TranscoderSettings,
): Promise<Transcoder | NoTranscoder> {
  const cage = findTranscoder(settings);
  if ('kind' in cage) return cage;
  try {
    return await tried(cage, settings);
  } catch (error) {
    return missing(`ffmpeg could not be tried: ${oneLine(String(error))}`);
  }
}

/** The first version whose options are used. */
const leastVersion = [5, 1] as const;

async function tried(
  cage: Cage,
  { hardware = 'none', places }: TranscoderSettings,
): Promise<Transcoder | NoTranscoder> {
  const asked = await answerOf(cage, question('version'));
  const version = /^ffmpeg version (\S+)/.exec(textOf(asked))?.[1];
  if (version === undefined) {
    const why = oneLine(asked.said) || 'It does not say its version.';
    return missing(cage.tier === 'none' ? `ffmpeg does not run: ${why}` : withoutCage(why));
  }
  if (isTooOld(version)) return missing(`ffmpeg ${version} is too old: 5.1 or later is needed.`);
  const [escape, listed, filtering, { bytes, said }] = await Promise.all([
    cage.tier === 'none' ? null : escapeFrom(cage),
    answerOf(cage, question('encoders')),
    answerOf(cage, question('filters')),
    answerOf(cage, selfTest()),
  ]);
  if (escape !== null) return missing(withoutCage(`${escape} could be opened from inside.`));
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
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-cage-'));
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
