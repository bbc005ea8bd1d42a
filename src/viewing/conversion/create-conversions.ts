/**
 * Converts tracks for sessions. What was made is named by the content of the file, the track, the
 * recipe and the place in the film, so all viewers share it, and also the process that makes it.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Log } from '../../../kernel/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Conversions, ConversionWork, ConvertedPart } from '../transcoding/index.ts';
import { describeWork, type DescribedWork } from './described-work.ts';
import { createEncoderChoice, type AskedPicture } from './encoder-choice.ts';
import { HeadEnded, type Head } from './head.ts';
import type { OpenInput } from './converted-input.ts';
import { createLearntHeight, type SpeedSettings } from './learnt-height.ts';
import type { PartStore } from './part-store.ts';
import { pictureEncoders, softwareEncoder, type HardwareKind } from './picture-encoders.ts';
import { hashOf, type OtherHeads } from './other-heads.ts';
import { readBegunWork, type FindFile } from './begun-work.ts';
import { createRunningHeads } from './running-heads.ts';
import {
  findTranscoder,
  openTranscoder,
  type NoTranscoder,
  type Transcoder,
  type TranscoderSettings,
} from './transcoder.ts';
import { usualHangLimits, type HangLimits } from './watched-output.ts';

export interface ConversionsParts {
  readonly settings: TranscoderSettings;
  readonly store: PartStore;
  readonly openInput: OpenInput;
  /** Most threads of one process. */
  readonly threads: number;
  /** When a process counts as hanging; as usual when absent. */
  readonly hangs?: HangLimits;
  /** How high pictures may be; any height when absent. */
  readonly speed?: SpeedSettings;
  /** For the metrics. */
  readonly seen?: (seen: SeenConversion) => void;
  /** Called once each time a device failed so often that the processor works in its place. */
  readonly deviceRests?: (kind: HardwareKind) => void;
  /** What other servers convert; absent = there are none. */
  readonly others?: OtherHeads;
  /** False: this server converts nothing itself, since it has not the role convert. */
  readonly converts?: boolean;
  /** Finds a file for another server; absent = nothing is begun for others. */
  readonly findFile?: FindFile;
  readonly clock: Clock;
  readonly log: Log;
}

/** What happened to a conversion. */
export type SeenConversion =
  | { readonly kind: 'first-segment'; readonly track: 'video' | 'audio'; readonly ms: number }
  | { readonly kind: 'failure' };

/** Conversion with its processes. */
export interface RunningConversions extends Conversions {
  /** Tries the transcoder, if that has not been done. */
  readonly transcoder: () => Promise<Transcoder | NoTranscoder>;
  /** Processes that run. */
  readonly processes: () => number;
  /** Whether pictures are encoded on the processor, since the device failed. */
  readonly encodesInSoftware: () => boolean;
  /** Of each process that has worked for ten seconds. */
  readonly rates: () => readonly { readonly track: 'video' | 'audio'; readonly rate: number }[];
  /**
   * A part of what a process makes here, for a session of another server: `init`, or a segment by its
   * place. `null` = no process makes it soon.
   */
  readonly forOther: (wanted: {
    readonly work: string;
    readonly name: string;
    readonly sessionId: string;
  }) => Promise<Buffer | null>;
  /** Whether this server begins processes for others. */
  readonly isForOthers: () => boolean;
  /** Begins what another server says, and gives the part that it asks for; `null` = it cannot. */
  readonly beginForOther: (message: Uint8Array) => Promise<Buffer | null>;
  /** Bytes that are kept on the disk. */
  readonly keptBytes: () => Promise<number>;
  /** Ends all processes. */
  readonly close: () => Promise<void>;
}

/** Milliseconds in which what failed twice is not tried again. */
const failedMs = 60_000;
const mostFailures = 500;
/** Creates it; the transcoder is tried when it is first needed. */
export function createConversions(parts: ConversionsParts): RunningConversions {
  const { settings, store, openInput, threads, clock, log, seen = () => undefined } = parts;
  const { others, converts = true } = parts;
  const failures = new Map<string, number>();
  const choice = createEncoderChoice(clock, parts.deviceRests);
  let usualEncoder: string | null = null;
  let tried: Promise<Transcoder | NoTranscoder> | null = null;
  const first = findTranscoder(settings);
  let why = !converts ? notItsRole : 'kind' in first ? first.why : null;

  async function transcoder(): Promise<Transcoder | NoTranscoder> {
    tried ??= openTranscoder(settings);
    const found = await tried;
    if (converts) why = found.kind === 'missing' ? found.why : null;
    usualEncoder = found.kind === 'missing' ? null : found.encoder.kind;
    return found;
  }

  async function ready(): Promise<Transcoder> {
    const found = await transcoder();
    if (found.kind === 'ready') return found;
    throw new AppError('transcoder_missing', { why: found.why });
  }

  const heads = createRunningHeads({
    store,
    clock,
    hangs: parts.hangs ?? usualHangLimits,
    ...(parts.others && { begins: parts.others.begins }),
    firstSegment: (track, ms) => seen({ kind: 'first-segment', track, ms }),
    ended: ({ wholeRate }, { picture, encoder }, others) => {
      const rate = wholeRate();
      if (picture === null || rate === null || encoder.kind !== usualEncoder) return;
      const { recipe, sourceHeight } = picture;
      const { toneMap, deinterlace, burn } = recipe;
      const isAlone = others.every((other) => other.picture === null);
      const isPlain = isAlone && !toneMap && !deinterlace && burn === null && sourceHeight <= 1080;
      if (sourceHeight > 0) height.done({ sourceHeight, height: recipe.height, rate, isPlain });
    },
    start: async (work, { from, until, lead }) => {
      const { cage, mapsTones } = await ready();
      const args = work.args(from, until, { url: cage.inputUrl, threads, mapsTones, lead });
      const input = await openInput(work.file);
      const { devices, kind } = work.encoder;
      const limits = { memoryBytes: pictureEncoders[kind].memoryBytes, cpuSeconds };
      try {
        return cage.run({ args, input: input.fd, limits, devices });
      } finally {
        await input.close();
      }
    },
  });
  const height = createLearntHeight({
    transcoder,
    threads,
    now: clock.now,
    isFree: () => heads.all().length === 0,
    speed: parts.speed ?? { kind: 'any' },
  });

  /** A disk that cannot be read has nothing. */
  const readKept = (key: string) => store.read(key).catch(() => null);

  /** What a process makes. What fails is tried once more, and then not for a while. */
  async function made(
    work: DescribedWork,
    sessionId: string,
    take: (head: Head, at: number) => Promise<Buffer>,
    n: number,
  ): Promise<Buffer> {
    if (why !== null) throw new AppError('transcoder_missing', { why });
    const failedAt = failures.get(work.key);
    if (failedAt !== undefined && clock.now() - failedAt < failedMs) throw failed(null);
    for (let attempt = 1; ; attempt += 1) {
      const { head, at } = heads.join(work, n);
      heads.comeTo(head, work, { sessionId, at });
      try {
        return await take(head, at);
      } catch (error) {
        if (!(error instanceof HeadEnded)) throw error;
        if (error.cause instanceof AppError) throw error.cause;
        if (error.reason === 'full') throw new AppError('insufficient_storage', {});
        if (error.reason === 'left') throw failed('The player went on to another place.');
        seen({ kind: 'failure' });
        const { kind: encoder } = work.encoder;
        log.warn({ said: error.message, fileId: work.file.id, encoder }, 'A conversion failed');
        if (attempt < 2) continue;
        if (failures.size >= mostFailures) failures.clear();
        failures.set(work.key, clock.now());
        throw new ConversionFailed(failed(null));
      }
    }
  }

  /** What a process of another server makes, or begins to make; kept here as if this one had made it. */
  async function elsewhere(
    work: DescribedWork,
    part: { readonly name: string; readonly n: number; readonly key: string },
    asked: ConversionWork,
  ): Promise<Buffer | null> {
    if (others === undefined) return null;
    if (part.name !== 'init' && heads.find(work, part.n) !== undefined) return null;
    const bytes =
      (await others.part(work, part, asked.sessionId).catch(() => null)) ??
      (await others.placed(asked, work, part).catch(() => null));
    if (bytes !== null) await store.write(part.key, bytes).catch(() => undefined);
    return bytes;
  }

  async function forOther({
    work: wanted,
    name,
    sessionId,
  }: Parameters<RunningConversions['forOther']>[0]): Promise<Buffer | null> {
    for (const [head, work] of heads.all()) {
      if (hashOf(work) !== wanted) continue;
      if (name === 'init') return head.head.catch(() => null);
      const n = work.timeline.starts.findIndex((_, at) => work.nameOf(at) === name);
      if (n === -1) continue;
      const joined = heads.find(work, n);
      const kept = joined === undefined ? await readKept(work.partKey(n)) : null;
      if (joined === undefined && kept === null) continue;
      const goesTo = joined ?? { head, at: Math.min(n, head.until - 1) };
      heads.comeTo(goesTo.head, work, { sessionId, at: goesTo.at });
      if (kept !== null) return buffer(kept.body);
      return joined === undefined ? null : joined.head.wait(joined.at).catch(() => null);
    }
    return null;
  }

  /** Does it with the encoder of the session. Where a device fails, the processor does it. */
  async function encoded<T>(
    work: ConversionWork,
    run: (described: DescribedWork) => Promise<T>,
  ): Promise<T> {
    const asked = pictureOf(work);
    const { hardware = 'none' } = settings;
    if (asked === null || hardware === 'none' || why !== null)
      return run(describeWork(work)).catch(unwrapped);
    const encoder = choice.choose(asked, (await ready()).encoder);
    try {
      const answer = await run(describeWork(work, encoder));
      choice.given(asked, encoder);
      return answer;
    } catch (error) {
      const mayStepDown = error instanceof ConversionFailed && choice.failed(asked, encoder);
      if (!mayStepDown) return unwrapped(error);
      log.warn({ fileId: work.file.id, encoder: encoder.kind }, 'The processor encodes instead');
      return run(describeWork(work, softwareEncoder)).catch(unwrapped);
    }
  }

  return {
    missing: () => {
      // It is tried before the first segment is asked for.
      if (converts && !('kind' in first)) void transcoder();
      return others?.hasConverters() === true ? null : why;
    },
    maxHeight: height.known,
    learn: height.learn,
    transcoder,
    encodesInSoftware: choice.isResting,
    processes: () => heads.all().length,
    rates: () =>
      heads.all().flatMap(([head, { kind: track }]) => {
        const rate = head.rate();
        return rate === null ? [] : [{ track, rate }];
      }),
    forOther,
    isForOthers: () => {
      if (converts && tried === null && !('kind' in first)) void transcoder();
      return parts.findFile !== undefined && why === null && usualEncoder !== null;
    },
    beginForOther: async (message) => {
      const { findFile } = parts;
      if (findFile === undefined || why !== null) return null;
      const begun = await readBegunWork(message, findFile);
      if (begun === null) return null;
      const { n, isInit } = begun;
      const work = describeWork(begun.work);
      const kept = await readKept(isInit ? work.initKey : work.partKey(n));
      if (kept !== null) return buffer(kept.body);
      const take = (head: Head, at: number) => (isInit ? head.head : head.wait(at));
      return made(work, begun.work.sessionId, take, n).catch(() => null);
    },
    keptBytes: () => store.size().catch(() => 0),
    rateOf: (sessionId) => {
      const own = heads.all().filter(([{ viewers }]) => viewers.has(sessionId));
      return slowest(own.map(([{ rate }]) => rate()));
    },
    init: (asked) =>
      encoded(asked, async (work) => {
        const kept = await readKept(work.initKey);
        if (kept !== null) return { ...kept, tag: work.tag('init') };
        // Any process of this work gives it, wherever in the film the process is.
        const running = await heads.ofWork(work)?.head.catch(() => null);
        const part = { name: 'init', n: 0, key: work.initKey };
        const found = running ?? (await elsewhere(work, part, asked));
        const bytes = found ?? (await made(work, asked.sessionId, (head) => head.head, 0));
        return partOf(bytes, work.tag('init'));
      }),
    segment: (asked, n) =>
      encoded(asked, async (work) => {
        const tag = work.tag(work.nameOf(n));
        const kept = await readKept(work.partKey(n));
        const part = { name: work.nameOf(n), n, key: work.partKey(n) };
        const found = kept === null ? await elsewhere(work, part, asked) : null;
        if (found !== null) return partOf(found, tag);
        if (kept === null)
          return partOf(await made(work, asked.sessionId, (head, at) => head.wait(at), n), tag);
        for (const [head, { key }] of heads.all())
          if (key === work.key && head.viewers.has(asked.sessionId))
            head.want(asked.sessionId, Math.min(n, head.until - 1));
        return { ...kept, tag };
      }),
    told: (sessionId, state) => {
      if (state !== 'ended') return;
      choice.ended(sessionId);
      for (const [head] of heads.all()) if (head.viewers.has(sessionId)) head.leave(sessionId);
    },
    close: async () => {
      others?.close();
      await heads.close();
    },
  };
}

const notItsRole = 'This server has not the role convert, and none that has it can be asked.';

/** A process failed twice, and not the disk, the file or the viewer. */
class ConversionFailed extends Error {
  readonly refusal: AppError;
  constructor(refusal: AppError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

function unwrapped(error: unknown): never {
  throw error instanceof ConversionFailed ? error.refusal : error;
}

/** The picture that is asked for; `null` for sound. */
function pictureOf(work: ConversionWork): AskedPicture | null {
  const { recipe, sessionId, file, stream } = work;
  if (recipe.kind === 'audio') return null;
  const name = JSON.stringify([stream, recipe.video]);
  return { sessionId, contentKey: file.contentKey, codec: recipe.video.codec, name };
}

const slowest = (rates: readonly (number | null)[]): number | null =>
  rates.reduce(
    (least, one) => (one === null || (least !== null && least < one) ? least : one),
    null,
  );

/** Of one process. */
const cpuSeconds = 4 * 3600;

const failed = (why: string | null): AppError =>
  new AppError('transcode_failed', { why: why ?? 'The transcoder cannot read it.' });

const partOf = (bytes: Buffer, tag: string): ConvertedPart => ({
  size: bytes.length,
  tag,
  body: Readable.from([bytes], { objectMode: false }),
});
