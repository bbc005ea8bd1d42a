/**
 * Converts tracks for sessions. What was made is named by the content of the file, the track, the
 * recipe and the place in the film, so all viewers share it, and also the process that makes it.
 */
import { Readable } from 'node:stream';
import type { Log } from '../../../kernel/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Conversions, ConvertedPart } from '../transcoding/index.ts';
import { describeWork, type DescribedWork } from './described-work.ts';
import { HeadEnded, startHead, type Head } from './head.ts';
import type { OpenInput } from './converted-input.ts';
import type { PartStore } from './part-store.ts';
import {
  findTranscoder,
  openTranscoder,
  type NoTranscoder,
  type Transcoder,
  type TranscoderSettings,
} from './transcoder.ts';

/** What conversion needs. */
export interface ConversionsParts {
  readonly settings: TranscoderSettings;
  readonly store: PartStore;
  readonly openInput: OpenInput;
  /** Most threads of one process. */
  readonly threads: number;
  /** Milliseconds without a byte until a process counts as hanging; 60 000 when absent. */
  readonly hangMs?: number;
  /** For the metrics. */
  readonly seen?: (seen: SeenConversion) => void;
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
  /** Of each process that has worked for ten seconds. */
  readonly rates: () => readonly { readonly track: 'video' | 'audio'; readonly rate: number }[];
  /** Bytes that are kept on the disk. */
  readonly keptBytes: () => Promise<number>;
  /** Ends all processes. */
  readonly close: () => Promise<void>;
}

/** Segments of one head. */
const mostSegments = 100;
/** Milliseconds until a head that no viewer asks anything is ended. */
const idleMs = 30_000;
const sweepMs = 5000;
const usualHangMs = 60_000;
/** Milliseconds in which what failed twice is not tried again. */
const failedMs = 60_000;
const mostFailures = 500;
/** Microseconds of film that a viewer waits for a head to arrive; else another one starts. */
const worthWaiting = { video: 10_000_000, audio: 60_000_000 };

/** Creates it; the transcoder is tried when it is first needed. */
export function createConversions(parts: ConversionsParts): RunningConversions {
  const { settings, store, openInput, threads, clock, log, seen = () => undefined } = parts;
  const { hangMs = usualHangMs } = parts;
  const heads = new Map<Head, DescribedWork>();
  const failures = new Map<string, number>();
  let tried: Promise<Transcoder | NoTranscoder> | null = null;
  const first = findTranscoder(settings);
  let why = 'kind' in first ? first.why : null;
  let sweep: NodeJS.Timeout | null = null;

  async function transcoder(): Promise<Transcoder | NoTranscoder> {
    tried ??= openTranscoder(settings);
    const found = await tried;
    why = found.kind === 'missing' ? found.why : null;
    return found;
  }

  async function ready(): Promise<Transcoder> {
    const found = await transcoder();
    if (found.kind === 'ready') return found;
    throw new AppError('transcoder_missing', { why: found.why });
  }

  /** Ends what nobody has asked anything for a while; it starts again at the next request. */
  function endIdle(): void {
    for (const head of heads.keys()) if (clock.now() - head.wantedAt() > idleMs) head.end();
  }

  function begin(work: DescribedWork, from: number): Head {
    const until = Math.min(from + mostSegments, work.timeline.starts.length);
    const began = clock.now();
    const head = startHead({
      ...{ timeline: work.timeline, from, until, hangMs, now: clock.now },
      assembler: work.assembler(from, until),
      start: async () => {
        const { cage, mapsTones } = await ready();
        const args = work.args(from, until, { url: cage.inputUrl, threads, mapsTones });
        const input = await openInput(work.file);
        try {
          return cage.run({ args, input: input.fd, limits });
        } finally {
          await input.close();
        }
      },
      keepHead: (bytes) => store.write(work.initKey, bytes),
      keep: async ({ n, bytes }) => {
        if (n === from) seen({ kind: 'first-segment', track: work.kind, ms: clock.now() - began });
        await store.write(work.partKey(n), bytes);
      },
      isKept: (n) => store.has(work.partKey(n)).catch(() => false),
    });
    heads.set(head, work);
    sweep ??= setInterval(endIdle, sweepMs).unref();
    void head.ended.then(() => {
      heads.delete(head);
      if (heads.size > 0 || sweep === null) return;
      clearInterval(sweep);
      sweep = null;
    });
    return head;
  }

  /** A disk that cannot be read has nothing. */
  const readKept = (key: string) => store.read(key).catch(() => null);

  /** The head that makes segment `n` soon, with its own number of that segment. */
  function join(work: DescribedWork, n: number): { head: Head; at: number } | null {
    const start = work.timeline.starts[n] ?? 0;
    for (const [head, { key }] of heads) {
      const { starts } = head.timeline;
      const at = starts[n] === start ? n : starts.indexOf(start);
      if (key !== work.key || at < head.next() || at >= head.until) continue;
      if (start - (starts[head.next()] ?? 0) <= worthWaiting[work.kind]) return { head, at };
    }
    return null;
  }

  /** A viewer who goes elsewhere leaves the head that was for them. */
  function comeTo(head: Head, work: DescribedWork, sessionId: string, at: number): void {
    head.want(sessionId, at);
    for (const [other, { kind }] of heads)
      if (other !== head && kind === work.kind && other.viewers.has(sessionId))
        other.leave(sessionId);
  }

  /** What a process makes. What fails is tried once more, and then not for a while. */
  async function made(
    work: DescribedWork,
    sessionId: string,
    take: (head: Head, at: number) => Promise<Buffer>,
    n: number,
  ): Promise<Buffer> {
    const failedAt = failures.get(work.key);
    if (failedAt !== undefined && clock.now() - failedAt < failedMs) throw failed(null);
    for (let attempt = 1; ; attempt += 1) {
      const { head, at } = join(work, n) ?? { head: begin(work, n), at: n };
      comeTo(head, work, sessionId, at);
      try {
        return await take(head, at);
      } catch (error) {
        if (!(error instanceof HeadEnded)) throw error;
        if (error.cause instanceof AppError) throw error.cause;
        if (error.reason === 'full') throw new AppError('insufficient_storage', {});
        if (error.reason === 'left') throw failed('The player went on to another place.');
        seen({ kind: 'failure' });
        log.warn({ said: error.message, fileId: work.file.id }, 'A conversion failed');
        if (attempt < 2) continue;
        if (failures.size >= mostFailures) failures.clear();
        failures.set(work.key, clock.now());
        throw failed(null);
      }
    }
  }

  return {
    missing: () => {
      // It is tried before the first segment is asked for.
      if (!('kind' in first)) void transcoder();
      return why;
    },
    maxHeight: () => null,
    transcoder,
    processes: () => heads.size,
    rates: () =>
      [...heads].flatMap(([head, { kind: track }]) => {
        const rate = head.rate();
        return rate === null ? [] : [{ track, rate }];
      }),
    keptBytes: () => store.size().catch(() => 0),
    rateOf: (sessionId) => {
      const rates = [...heads.keys()].filter(({ viewers }) => viewers.has(sessionId));
      return slowest(rates.map(({ rate }) => rate()));
    },
    init: async (asked) => {
      const work = describeWork(asked);
      const kept = await readKept(work.initKey);
      if (kept !== null) return { ...kept, tag: work.tag('init') };
      return partOf(await made(work, asked.sessionId, (head) => head.head, 0), work.tag('init'));
    },
    segment: async (asked, n) => {
      const work = describeWork(asked);
      const tag = work.tag(work.nameOf(n));
      const kept = await readKept(work.partKey(n));
      if (kept === null)
        return partOf(await made(work, asked.sessionId, (head, at) => head.wait(at), n), tag);
      for (const [head, { key }] of heads)
        if (key === work.key && head.viewers.has(asked.sessionId))
          head.want(asked.sessionId, Math.min(n, head.until - 1));
      return { ...kept, tag };
    },
    told: (sessionId, state) => {
      if (state !== 'ended') return;
      for (const head of heads.keys()) if (head.viewers.has(sessionId)) head.leave(sessionId);
    },
    close: async () => {
      const running = [...heads.keys()];
      for (const head of running) head.end();
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

const slowest = (rates: readonly (number | null)[]): number | null =>
  rates.reduce(
    (least, one) => (one === null || (least !== null && least < one) ? least : one),
    null,
  );

const limits = { memoryBytes: 6 * 1024 ** 3, cpuSeconds: 4 * 3600 };

const failed = (why: string | null): AppError =>
  new AppError('transcode_failed', { why: why ?? 'The transcoder cannot read it.' });

const partOf = (bytes: Buffer, tag: string): ConvertedPart => ({
  size: bytes.length,
  tag,
  body: Readable.from([bytes], { objectMode: false }),
});
