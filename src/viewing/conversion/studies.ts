/**
 * Looks at media in the cage for jobs: sheets of little pictures, a still, loudness. Each run gives way:
 * before more of its output is read it asks whether it may go on, and a run that nobody reads waits.
 */
import { KernelError } from '../../../kernel/index.ts';
import type { MediaStream } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { PlayedFile } from '../transcoding/index.ts';
import { RecipeRefused, type ConvertedStream, type TranscoderArguments } from './argument-parts.ts';
import type { CagedProgram, RunEnding } from './cage.ts';
import type { OpenInput } from './converted-input.ts';
import { loudnessArguments, sheetArguments, stillArguments } from './study-arguments.ts';
import type { SheetWork } from './study-arguments.ts';
import type { NoTranscoder, Transcoder } from './transcoder.ts';
import { usualHangLimits, watchedOutput, type Hang, type HangLimits } from './watched-output.ts';

/** A file to look at, and how the look gives way. */
export interface Study {
  readonly file: PlayedFile;
  /** Resolves when the run may go on. */
  readonly mayGoOn: () => Promise<void>;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/**
 * Looks at media. Each throws `transcode_failed` for a file that the transcoder cannot read, and
 * `unreadable` for one that the disk does not give in time.
 */
export type Studies = ReturnType<typeof createStudies>;

/** What was measured. */
export interface MeasuredLoudness {
  readonly lufs: number;
  /** dB of full scale. */
  readonly peak: number;
}

export interface StudiesParts {
  readonly transcoder: () => Promise<Transcoder | NoTranscoder>;
  readonly openInput: OpenInput;
  /** When a program counts as hanging; in tests it is less. */
  readonly hangs?: HangLimits;
}

/**
 * A sheet is written when all of its pictures are made: of a film of 80 Mbit/s, ten gigabytes are read
 * before that. So a program that works may take twenty minutes. A file that is made to waste time costs
 * no more.
 */
const studyHangs: HangLimits = { ...usualHangLimits, busyMs: 1_200_000 };

/**
 * Milliseconds until a file that could not be read is tried again: thirty days. The machine may have
 * been the reason, or the transcoder may be newer then.
 */
export const unreadableMs = 30 * 86_400_000;

const limits = { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 3600 };
/** Of one run: a sheet of a hundred pictures has half a megabyte. */
const mostPictureBytes = 256 * 1024 ** 2;
const widestStill = 1280;

export function createStudies({ transcoder, openInput, hangs = studyHangs }: StudiesParts) {
  async function run(
    { file, mayGoOn, signal }: Study,
    argsOf: (
      machine: Transcoder,
      stream: Pick<ConvertedStream, 'url' | 'container'>,
    ) => TranscoderArguments,
    take: (part: Buffer) => void,
  ): Promise<RunEnding> {
    const machine = await transcoder();
    if (machine.kind === 'missing') throw new AppError('transcoder_missing', { why: machine.why });
    const { cage } = machine;
    const args = refusing(() => argsOf(machine, { url: cage.inputUrl, container: file.container }));
    const input = await openInput(file);
    const program = cage.run({ args, input: input.fd, limits });
    await input.close();
    signal.addEventListener('abort', program.kill);
    let hang: Hang | null = null;
    const onHang = (how: Hang): void => {
      hang = how;
    };
    try {
      await mayGoOn();
      for await (const part of watchedOutput(program, hangs, onHang)) {
        take(part);
        await mayGoOn();
        if (signal.aborted) break;
      }
      signal.throwIfAborted();
      if (hang === 'idle') throw new KernelError('unreadable', 'The file');
      const ending = await exitOf(program);
      signal.throwIfAborted();
      if (ending.code !== 0) throw failed();
      return ending;
    } finally {
      signal.removeEventListener('abort', program.kill);
      program.kill();
    }
  }

  /** The pictures that a run writes. */
  async function pictures(
    study: Study,
    argsOf: Parameters<typeof run>[1],
  ): Promise<readonly Uint8Array[]> {
    const parts: Buffer[] = [];
    let bytes = 0;
    await run(study, argsOf, (part) => {
      bytes += part.length;
      if (bytes > mostPictureBytes) throw failed();
      parts.push(part);
    });
    const found = splitPictures(Buffer.concat(parts));
    if (found.length === 0) throw failed();
    return found;
  }

  return {
    /** Why nothing can be looked at; `null` = it can. */
    missing: async (): Promise<string | null> => {
      const found = await transcoder();
      return found.kind === 'missing' ? found.why : null;
    },
    /** JPEG sheets of little pictures, in their order. */
    sheets: (study: Study, work: Omit<SheetWork, 'transfer'>): Promise<readonly Uint8Array[]> => {
      const picture = firstOf(study.file, 'video');
      return pictures(study, ({ mapsTones }, source) =>
        sheetArguments(
          { ...source, ordinal: 0 },
          { ...work, transfer: transferOf(picture, mapsTones) },
        ),
      );
    },
    /** A JPEG of a typical picture from a time on. */
    still: async (study: Study, atMs: number): Promise<Uint8Array> => {
      const picture = firstOf(study.file, 'video');
      const { width = widestStill, height = (widestStill * 9) / 16 } = picture;
      const wide = even(Math.min(widestStill, width));
      const size = { width: wide, height: even((height * wide) / width) };
      const [still] = await pictures(study, ({ mapsTones }, source) =>
        stillArguments(
          { ...source, ordinal: 0 },
          { ...size, at: atMs * 1000, transfer: transferOf(picture, mapsTones) },
        ),
      );
      if (still === undefined) throw failed();
      return still;
    },
    /** Of the first sound; `null` for silence. */
    loudness: async (study: Study): Promise<MeasuredLoudness | null> => {
      firstOf(study.file, 'audio');
      const args = ((_, source) =>
        loudnessArguments({ ...source, ordinal: 0 })) satisfies Parameters<typeof run>[1];
      return parseSummary((await run(study, args, () => undefined)).said);
    },
  };
}

/** How long a program may take to exit when its output is over. */
const exitMs = 20_000;

/** The output ends a moment before its program does: who kills it in between does not learn its code. */
async function exitOf({ ended, kill }: CagedProgram): Promise<RunEnding> {
  const timer = setTimeout(kill, exitMs);
  return ended.finally(() => clearTimeout(timer));
}

const failed = (): AppError =>
  new AppError('transcode_failed', { why: 'The transcoder cannot read it.' });

function refusing<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RecipeRefused)) throw error;
    throw new AppError('transcode_failed', { why: error.message });
  }
}

function firstOf({ streams }: PlayedFile, kind: 'video' | 'audio'): MediaStream {
  const stream = streams.find((one) => one.kind === kind);
  if (stream === undefined) throw new KernelError('not_found', `A stream of ${kind} in the file`);
  return stream;
}

const transferOf = ({ hdr }: MediaStream, mapsTones: boolean) =>
  hdr === undefined || !mapsTones ? null : hdr === 'hlg' ? 'hlg' : 'pq';

/** The nearest even size that a picture may have. */
export const even = (pixels: number): number => Math.max(16, Math.round(pixels / 2) * 2);

const pictureEnd = Buffer.from([0xff, 0xd9, 0xff, 0xd8, 0xff]);

/** JPEG pictures one after the other: in one, no end of picture is followed by a beginning. */
export function splitPictures(bytes: Buffer): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(pictureEnd, at);
    const next = end === -1 ? bytes.length : end + 2;
    const picture = bytes.subarray(at, next);
    if (picture.length > 2 && picture.readUInt16BE(0) === 0xffd8) found.push(picture);
    at = next;
  }
  return found;
}

/** The summary is the last that the filter says; what a file says of itself comes before. */
export function parseSummary(said: string): MeasuredLoudness | null {
  const summary = said.slice(said.lastIndexOf('Summary:'));
  const [, lufs] = /^\s+I:\s+(-?\d+(?:\.\d+)?) LUFS$/m.exec(summary) ?? [];
  const [, peak] = /^\s+Peak:\s+(-?\d+(?:\.\d+)?) dBFS$/m.exec(summary) ?? [];
  if (lufs === undefined || peak === undefined) return null;
  const found = { lufs: Number(lufs), peak: Number(peak) };
  // The filter says -70 for what is too quiet to measure.
  return found.lufs > -70 && found.lufs < 20 && Math.abs(found.peak) < 100 ? found : null;
}
