import { createRwLock, type RwLock } from '../../../packages/lib/concurrency/index.ts';
import { isNotGranted, KernelError, type CallPlugin, type Log } from '../../../kernel/index.ts';
import type {
  ServedKey,
  CapabilityConfig,
  ProbeFile,
  ProbeInput,
  ProbeOutcome,
} from '../../../plugin-api/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';
import { parseStoredReport, parseProbeResult, type ProbeEnd } from './probe-report.ts';

/** A media file with its stored report. */
export interface FileToProbe extends ProbeFile {
  readonly known?: {
    readonly pluginId: string;
    readonly answersVersion: number;
    readonly report: unknown;
  } | null;
}

export interface ProbingParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly capabilityConfigOf: (pluginId: string) => CapabilityConfig;
  readonly answersVersionOf: (pluginId: string) => number;
  /** Probes that are enabled but not running; `isComing` = they are starting. */
  readonly absentProbes: () => readonly { readonly pluginId: string; readonly isComing: boolean }[];
  /** How long one file may take when it is probed alone; 10 s when absent. */
  readonly probeMs?: number;
  readonly clock: Clock;
  readonly log: Log;
}

const largestBatch = 32;
/** A batch gets this many times the deadline of a file that is probed alone. */
const batchShare = 3;
const usualProbeMs = 10_000;
const comebackMs = 15_000;
const wellTimeoutMs = 2_000;
const lookEveryMs = 100;

/** Error codes without a fault of the file: it is probed when a plugin is back. */
export const unavailableCodes = ['probe-unavailable'] as const;

interface PendingFile {
  readonly file: ProbeFile;
  readonly place: number;
}

/** Probes files through plugins. */
export class Probing {
  readonly #parts: ProbingParts;
  readonly #clock: ReturnType<typeof steadyOf>;
  /** A file that is probed alone may have caused the failure of its batch. */
  readonly #suspectTimeoutMs: number;
  readonly #batchTimeoutMs: number;
  readonly #locks = new Map<string, RwLock>();

  constructor(parts: ProbingParts) {
    this.#parts = parts;
    this.#clock = steadyOf(parts.clock);
    this.#suspectTimeoutMs = parts.probeMs ?? usualProbeMs;
    this.#batchTimeoutMs = this.#suspectTimeoutMs * batchShare;
  }

  #lockOf(pluginId: string): RwLock {
    const known = this.#locks.get(pluginId) ?? createRwLock();
    this.#locks.set(pluginId, known);
    return known;
  }

  /** The probes of each extension, the preferred one first. */
  #readers(): (extension: string) => readonly string[] {
    const known = new Map<string, readonly string[]>();
    return (extension) => {
      const list = known.get(extension) ?? this.#readersOf(extension);
      known.set(extension, list);
      return list;
    };
  }

  readonly #readersOf = (extension: string): readonly string[] =>
    this.#parts.providers(`probe:${extension}`).filter((pluginId) => {
      const { extensions = [] } = this.#parts.capabilityConfigOf(pluginId).probe ?? {};
      return extensions.includes(extension);
    });

  /**
   * One result per file, in their order. Never rejects: a plugin that fails gives its files an
   * error. A stored report is used as long as the plugin that made it runs, and does not answer in
   * a higher version.
   */
  readonly probe = async (
    library: { readonly id: string; readonly type: string },
    files: readonly FileToProbe[],
  ): Promise<readonly ProbeEnd[]> => {
    const ends = files.map((file): ProbeEnd => this.#knownEnd(file) ?? { kind: 'unsupported' });
    let open = files.flatMap(({ uri, size, extension }, place): readonly PendingFile[] =>
      ends[place]?.kind === 'read' ? [] : [{ file: { uri, size, extension }, place }],
    );
    if (open.length === 0) return ends;
    await this.#untilAllAreThere();
    const readBy = this.#readers();
    for (let round = 0; open.length > 0; round++) {
      const asked = open.filter(({ file }) => readBy(file.extension)[round] !== undefined);
      const byPlugin = Map.groupBy(asked, ({ file }) => readBy(file.extension)[round] ?? '');
      const answers = [...byPlugin].map(async ([pluginId, own]) => {
        for (const [place, end] of await this.#askAll(pluginId, library, own)) ends[place] = end;
      });
      await Promise.all(answers);
      open = asked.filter(({ place }) => ends[place]?.kind === 'unsupported');
    }
    return ends.map((end, place) => {
      if (end.kind !== 'unsupported') return end;
      const absent = this.#absentReader(files[place]?.extension ?? '');
      return absent === undefined ? end : unavailable(absent);
    });
  };

  /** Pictures in a file are requested from the plugin that found them, so it must run. */
  #knownEnd({ known }: FileToProbe): ProbeEnd | null {
    if (!known || !this.#parts.providers('probe').includes(known.pluginId)) return null;
    const { pluginId, answersVersion } = known;
    if (answersVersion < this.#parts.answersVersionOf(pluginId)) return null;
    const report = parseStoredReport(known.report);
    return report && { kind: 'read', report, pluginId, answersVersion, isKnown: true };
  }

  /** Waits for starting probes: otherwise their files would go to the next probe. */
  async #untilAllAreThere(): Promise<void> {
    const endAt = this.#clock.now() + comebackMs;
    while (this.#clock.now() < endAt && this.#parts.absentProbes().some(({ isComing }) => isComing))
      await this.#pause();
  }

  #absentReader(extension: string): string | undefined {
    return this.#parts.absentProbes().find(({ pluginId }) => {
      const { extensions = [] } = this.#parts.capabilityConfigOf(pluginId).probe ?? {};
      return extensions.includes(extension);
    })?.pluginId;
  }

  readonly #pause = (): Promise<void> =>
    new Promise((resolve) => void this.#clock.after(lookEveryMs, resolve));

  async #askAll(
    pluginId: string,
    library: { readonly id: string; readonly type: string },
    asked: readonly PendingFile[],
  ): Promise<readonly (readonly [number, ProbeEnd])[]> {
    const batches: Promise<readonly ProbeEnd[]>[] = [];
    for (let at = 0; at < asked.length; at += largestBatch) {
      const files = asked.slice(at, at + largestBatch).map(({ file }) => file);
      const input = { libraryId: library.id, libraryType: library.type, files };
      batches.push(this.#askBatch(pluginId, input));
    }
    const ends = (await Promise.all(batches)).flat();
    return asked.map(({ place }, index) => [place, ends[index] ?? unavailable(pluginId)] as const);
  }

  /** A batch that fails is probed file by file, so that only the faulty file gets an error. */
  async #askBatch(pluginId: string, input: ProbeInput): Promise<readonly ProbeEnd[]> {
    const { shared, exclusive } = this.#lockOf(pluginId);
    const answer = await shared(() => this.#ask(pluginId, input, this.#batchTimeoutMs));
    if (answer.ok) return answer.ends;
    const files = input.files.length;
    this.#parts.log.warn(
      { pluginId, files, err: answer.error },
      'A probe failed; its files are probed one by one',
    );
    const ends: ProbeEnd[] = [];
    for (const file of input.files) {
      ends.push(await exclusive(() => this.#askSuspect(pluginId, { ...input, files: [file] })));
    }
    return ends;
  }

  async #askSuspect(pluginId: string, input: ProbeInput): Promise<ProbeEnd> {
    if (!(await this.#isBack(pluginId))) return unavailable(pluginId);
    const answer = await this.#ask(pluginId, input, this.#suspectTimeoutMs);
    if (answer.ok) return answer.ends[0] ?? unavailable(pluginId);
    return isNotRunning(answer.error) ? unavailable(pluginId) : brought(pluginId, answer.error);
  }

  async #ask(
    pluginId: string,
    input: ProbeInput,
    timeoutMs: number,
  ): Promise<
    | { readonly ok: true; readonly ends: readonly ProbeEnd[] }
    | { readonly ok: false; readonly error: unknown }
  > {
    try {
      const maker = { pluginId, answersVersion: this.#parts.answersVersionOf(pluginId) };
      const answer = await this.#parts.call(pluginId, 'probe.probe', input, { timeoutMs });
      const outcomes = parseProbeResult(answer, input.files.length);
      if (outcomes !== null) return { ok: true, ends: outcomes.map((one) => endOf(one, maker)) };
      const what = `${pluginId} probe.probe: the answer is not one outcome for each file.`;
      return { ok: false, error: new KernelError('plugin_failed', what) };
    } catch (error) {
      return isNotGranted(error)
        ? this.#askGranted(pluginId, input, timeoutMs)
        : { ok: false, error };
    }
  }

  /** The plugin may have been granted the folders of some files; the others are not sent to it. */
  async #askGranted(pluginId: string, input: ProbeInput, timeoutMs: number) {
    if (input.files.length <= 1)
      return { ok: true, ends: input.files.map(() => ({ kind: 'unsupported' as const })) } as const;
    const ends: ProbeEnd[] = [];
    for (const file of input.files) {
      const answer = await this.#ask(pluginId, { ...input, files: [file] }, timeoutMs);
      if (!answer.ok) return answer;
      ends.push(...answer.ends);
    }
    return { ok: true, ends } as const;
  }

  /**
   * A plugin that stopped is restarted after a second or a few. One that still computes for the
   * previous file, or is about to stop because of it, does not answer: that is not the fault of the
   * next file.
   */
  async #isBack(pluginId: string): Promise<boolean> {
    const endAt = this.#clock.now() + comebackMs;
    while (this.#clock.now() < endAt) {
      if (this.#parts.providers('probe').includes(pluginId) && (await this.#isWell(pluginId)))
        return true;
      await this.#pause();
    }
    return false;
  }

  /** A call without files cannot fail because of a file. */
  async #isWell(pluginId: string): Promise<boolean> {
    const nothing = { libraryId: '', libraryType: '', files: [] };
    try {
      await this.#parts.call(pluginId, 'probe.probe', nothing, { timeoutMs: wellTimeoutMs });
      return true;
    } catch {
      return false;
    }
  }
}

export const createProbing = (parts: ProbingParts): Probing => new Probing(parts);

function endOf(
  outcome: ProbeOutcome,
  maker: { readonly pluginId: string; readonly answersVersion: number },
): ProbeEnd {
  return outcome.kind === 'read' ? { ...outcome, ...maker } : outcome;
}

function unavailable(pluginId: string): ProbeEnd {
  const message = `${pluginId} is not running.`;
  return { kind: 'failed', code: unavailableCodes[0], message };
}

/** The file was probed alone, so it caused the failure. */
function brought(pluginId: string, error: unknown): ProbeEnd {
  const message = error instanceof Error ? error.message.slice(0, 300) : `${pluginId} failed.`;
  return { kind: 'failed', code: 'probe-failed', message };
}

const isNotRunning = (error: unknown): boolean =>
  error instanceof KernelError && error.code === 'plugin_not_running';
