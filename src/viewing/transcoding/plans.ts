/**
 * Plans of files, from the plugin with the capability `transcode`. What it answers once for a content
 * is kept on disk: cuts stay the same for all clients and after a restart, and a hostile file costs
 * its time once. No byte of a media file is parsed here.
 */
import { isNotGranted, KernelError, type CallPlugin } from '../../../kernel/index.ts';
import type {
  MethodName,
  ProbeFile,
  ServedKey,
  TranscodeFailure,
  TranscodeIndex,
  TranscodeTrack,
} from '../../../plugin-api/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { DiskCache } from '../../platform/net/index.ts';
import { checkPlan, type CheckedPlan } from './checked-plan.ts';
import { createPlanMemory } from './plan-memory.ts';
import type { PlayedFile } from './played-file.ts';
import { parseIndex } from './stored-index.ts';

export type PlannedFile = Pick<PlayedFile, 'uri' | 'size' | 'extension' | 'contentKey'>;

/** A segment of a track. */
export interface WantedSegment {
  readonly track: TranscodeTrack;
  readonly n: number;
  /** Only the keyframe with which it begins. */
  readonly keyframeOnly: boolean;
}

/** Plans of files. */
export interface Plans {
  /**
   * The index of a file: at once if it is known; else the plugin reads it. One that is not complete
   * is completed in the background; ask again for it.
   */
  readonly index: (file: PlannedFile) => Promise<TranscodeIndex | TranscodeFailure>;
  /** Resolves when more of a file without an index was walked, or its walk is over. */
  readonly walked: (file: PlannedFile) => Promise<void>;
  /** Where the init segment of a track is. */
  readonly init: (
    file: PlannedFile,
    index: TranscodeIndex,
    track: TranscodeTrack,
  ) => Promise<CheckedPlan>;
  /**
   * Where the bytes of a segment are. Throws `segment_refused` when the file is damaged there, or has too
   * much in one segment, and `plugin_failed` for a plan that cannot be right.
   */
  readonly segment: (
    file: PlannedFile,
    index: TranscodeIndex,
    wanted: WantedSegment,
  ) => Promise<CheckedPlan>;
}

export interface PlansParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly versionOf: (pluginId: string) => string;
  readonly cache: Pick<DiskCache, 'read' | 'write'>;
  readonly clock: Clock;
}

const indexMs = 40_000;
const planMs = 10_000;
/** A walk that is longer than this is a walk in a circle. */
const maxSteps = 10_000;

class CheckedPlans implements Plans {
  readonly #parts: PlansParts;
  readonly #memory = createPlanMemory();
  readonly #walks = new Map<string, Promise<void>>();
  readonly #steps = new Map<string, PromiseWithResolvers<void>>();

  constructor(parts: PlansParts) {
    this.#parts = parts;
  }

  readonly #keyOf = (file: PlannedFile): string => {
    const [pluginId] = this.#parts.providers('transcode');
    const version = pluginId === undefined ? null : this.#parts.versionOf(pluginId);
    return JSON.stringify(['index', pluginId ?? null, version, file.contentKey]);
  };

  /** Asks once more when the plugin crashed: another file may have been the cause. */
  async #ask(method: MethodName, input: object, timeoutMs: number): Promise<unknown> {
    const { providers, call } = this.#parts;
    const [pluginId] = providers('transcode');
    if (pluginId === undefined) return failed('No plugin with the capability "transcode" runs.');
    try {
      return await call(pluginId, method, input, { timeoutMs });
    } catch (error) {
      if (isNotGranted(error)) return failed('The plugin that plans playback may not read it.');
      if (!(error instanceof KernelError) || error.code !== 'plugin_failed') throw error;
      return call(pluginId, method, input, { timeoutMs });
    }
  }

  async #readIndex(file: PlannedFile, state: string | null) {
    const answer = await this.#ask(
      'transcode.index',
      { file: toProbeFile(file), state },
      indexMs,
    ).catch((error: unknown) => {
      if (!(error instanceof KernelError) || error.code !== 'plugin_failed') throw error;
      return failed('Reading its index failed.', 'over-budget');
    });
    const failure = failureIn(answer);
    if (failure !== null) return failure;
    const index = parseIndex(answer);
    return typeof index === 'string' ? failed(`The plugin answered wrongly. ${index}`) : index;
  }

  async #keep(key: string, found: TranscodeIndex | TranscodeFailure): Promise<void> {
    this.#memory.indexes.set(key, found);
    const body = Buffer.from(JSON.stringify(found));
    await this.#parts.cache.write(key, {
      status: 200,
      headers: {},
      body,
      storedAt: this.#parts.clock.now(),
    });
  }

  async #stored(key: string): Promise<TranscodeIndex | TranscodeFailure | null> {
    const known = this.#memory.indexes.get(key);
    if (known !== undefined) return known;
    const kept = await this.#parts.cache.read(key);
    if (kept === null) return null;
    const value = parseJson(kept.body);
    const found = failureIn(value) ?? parseIndex(value);
    if (typeof found === 'string') return null;
    this.#memory.indexes.set(key, found);
    return found;
  }

  /** Goes on with a file that has no index, until all of it was walked. */
  #walkOn(key: string, file: PlannedFile, index: TranscodeIndex): void {
    if (index.isComplete || this.#walks.has(key)) return;
    const walk = async (): Promise<void> => {
      let last = index;
      for (let step = 0; step < maxSteps && !last.isComplete; step += 1) {
        const next = await this.#readIndex(file, last.state);
        if (next.kind === 'failed' || next.state === last.state) return;
        if (!next.isComplete && next.cuts.length < last.cuts.length) return;
        await this.#keep(key, next);
        last = next;
        this.#steps.get(key)?.resolve();
        this.#steps.set(key, Promise.withResolvers());
      }
    };
    this.#steps.set(key, Promise.withResolvers());
    const done = walk()
      // The plugin is away: the next request for the index goes on.
      .catch(() => undefined)
      .finally(() => {
        this.#walks.delete(key);
        this.#steps.get(key)?.resolve();
        this.#steps.delete(key);
      });
    this.#walks.set(key, done);
  }

  async #find(key: string, file: PlannedFile): Promise<TranscodeIndex | TranscodeFailure> {
    const known = await this.#stored(key);
    if (known !== null) return known;
    const found = await this.#readIndex(file, null);
    const isLasting = found.kind === 'read' || found.code !== 'unreadable';
    if (isLasting && this.#parts.providers('transcode').length > 0) await this.#keep(key, found);
    return found;
  }

  async #plan(method: MethodName, file: PlannedFile, input: object): Promise<CheckedPlan> {
    return this.#memory.plan(JSON.stringify([this.#keyOf(file), method, input]), async () => {
      const answer = await this.#ask(method, { file: toProbeFile(file), ...input }, planMs);
      const failure = failureIn(answer);
      if (failure !== null) throw refusalOf(failure);
      const checked = checkPlan(answer, file.size);
      if (typeof checked === 'string') throw new KernelError('plugin_failed', checked);
      return checked;
    });
  }

  readonly index: Plans['index'] = async (file) => {
    const key = this.#keyOf(file);
    const found = await this.#memory.once(key, () => this.#find(key, file));
    if (found.kind === 'read') this.#walkOn(key, file, found);
    return found;
  };

  readonly walked: Plans['walked'] = (file) =>
    this.#steps.get(this.#keyOf(file))?.promise ?? Promise.resolve();

  readonly init: Plans['init'] = (file, { state }, { id }) =>
    this.#plan('transcode.init', file, { state, track: id });

  readonly segment: Plans['segment'] = (
    file,
    { state, timescale, cuts, duration },
    { track, n, keyframeOnly },
  ) => {
    const [start = 0, end = duration] = cuts.slice(n, n + 2);
    return this.#plan('transcode.segment', file, {
      state,
      track: track.id,
      n,
      timescale,
      start,
      end,
      ...(keyframeOnly && { keyframeOnly }),
    });
  };
}

/** Creates them. Concurrent requests for one index or plan share the answer. */
export const createPlans = (parts: PlansParts): Plans => new CheckedPlans(parts);

const toProbeFile = ({ uri, size, extension }: PlannedFile): ProbeFile => ({
  uri,
  size,
  extension,
});

const failed = (
  message: string,
  code: TranscodeFailure['code'] = 'unsupported',
): TranscodeFailure => ({ kind: 'failed', code, message });

/** Only what cannot be read now may be there later. */
const refusalOf = ({ code, message }: TranscodeFailure): Error =>
  code === 'unreadable'
    ? new KernelError('plugin_failed', message)
    : new AppError('segment_refused', { why: message });

const codes = ['malformed', 'truncated', 'over-budget', 'unreadable', 'unsupported'] as const;

function failureIn(value: unknown): TranscodeFailure | null {
  const { kind, code, message } = (value ?? {}) as Partial<Record<keyof TranscodeFailure, unknown>>;
  if (kind !== 'failed') return null;
  const words = typeof message === 'string' ? message.slice(0, 300) : 'It cannot be planned.';
  return failed(words, codes.find((one) => one === code) ?? 'malformed');
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return null;
  }
}
