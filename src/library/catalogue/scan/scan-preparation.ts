/**
 * Plugins say what a scan looks for. If a plugin that should answer is not running - it restarts,
 * is upgraded, has crashed - the scan waits, for a minute at most. A plugin that has not answered
 * by then is recorded with what it looked for at its last answer, so that the scan does not mark
 * files as gone that only this plugin lists.
 */
import {
  isNotGranted,
  isUnhandled,
  KernelError,
  type CallPlugin,
  type Log,
} from '../../../../kernel/index.ts';
import type { HookRun } from '../../../../kernel/call/hooks/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type { ExpectedPlugin, PluginRole } from '../../../../kernel/run/index.ts';
import type {
  CapabilityConfig,
  ScanPrepareInput,
  ServedKey,
} from '../../../../plugin-api/index.ts';
import { steadyOf, type Clock } from '../../../platform/clock.ts';
import { rootsOf, updateLibrary, type LibraryRow } from '../tables/library-store.ts';
import { schemeOf } from '../tables/root-uri.ts';
import { isMap } from '../tables/rows.ts';
import type { AbsentPlugin } from './scan-doubt.ts';
import type { ScanPlan } from './scan-state.ts';
import {
  mergeCriteria,
  declaredIn,
  storedCriteriaText,
  noCriteria,
  parseStoredCriteria,
  parseCriteria,
  type ScanCriteria,
} from './scan-criteria.ts';

/** The hook chain that decides what a scan looks for. */
export interface ScanHookChain {
  readonly run: (
    name: 'pipeline.scan.prepare',
    input: ScanPrepareInput,
    subject: { readonly libraryId: string },
  ) => Promise<Pick<HookRun<'pipeline.scan.prepare'>, 'answers' | 'skipped'>>;
}

export interface ScanPreparationParts {
  readonly database: Pick<Database, 'write'>;
  readonly hooks: ScanHookChain;
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  /** All plugins that should answer for the library, also those that are not running. */
  readonly expected: (role: PluginRole, libraryId: string) => readonly ExpectedPlugin[];
  readonly filesystemFor: (scheme: string) => string | undefined;
  /** The `capabilityConfig` of a plugin's manifest. */
  readonly capabilityConfigOf: (pluginId: string) => CapabilityConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a scan looks for, and which plugins did not answer. */
export interface Prepared {
  readonly plan: ScanPlan;
  readonly absent: readonly AbsentPlugin[];
}

/** The answer of one plugin in one of its roles. */
type Answer =
  | { readonly pluginId: string; readonly sought: ScanCriteria }
  | { readonly pluginId: string; readonly code: string; readonly reason: string };
type Missed = Exclude<Answer, { readonly sought: ScanCriteria }>;

const describeTimeoutMs = 10_000;
const patienceMs = 60_000;
const lookEveryMs = 200;
const hook = 'pipeline.scan.prepare';

/** Creates it. When the signal is aborted it ends early, with the answers so far. */
export function createScanPreparation(
  parts: ScanPreparationParts,
): (library: LibraryRow, signal: AbortSignal) => Promise<Prepared> {
  const { log } = parts;
  const clock = steadyOf(parts.clock);

  const expected = ({ id, type }: LibraryRow): readonly ExpectedPlugin[] => [
    ...parts.expected({ hook }, id),
    ...parts.expected({ key: `library:${type}` }, id),
  ];

  async function allBack(library: LibraryRow, endsAt: number, signal: AbortSignal): Promise<void> {
    const isWaiting = (): boolean =>
      clock.now() < endsAt &&
      !signal.aborted &&
      expected(library).some(({ presence }) => presence === 'coming');
    while (isWaiting()) await pause(clock, lookEveryMs);
  }

  /** Asks again if a plugin stopped during the call and is about to restart. */
  async function askAll(library: LibraryRow, signal: AbortSignal): Promise<readonly Answer[]> {
    const endsAt = clock.now() + patienceMs;
    await allBack(library, endsAt, signal);
    const answers = await askOnce(library);
    const missed = new Set(answers.filter(isMissed).map(({ pluginId }) => pluginId));
    const isBackSoon = expected(library).some(
      ({ pluginId, presence }) => presence === 'coming' && missed.has(pluginId),
    );
    if (!isBackSoon) return answers;
    await allBack(library, endsAt, signal);
    return askOnce(library);
  }

  async function askOnce(library: LibraryRow): Promise<readonly Answer[]> {
    const { answers, skipped } = await runHook(library);
    const allAnswers: readonly Answer[] = [
      ...answers.map(({ pluginId, delta }) => ({ pluginId, sought: parseCriteria(delta) })),
      ...skipped,
    ];
    const described = await describeOnce(library);
    const ofHook = parts.expected({ hook }, library.id);
    const ofCapability = parts.expected({ key: `library:${library.type}` }, library.id);
    return [
      ...described,
      ...allAnswers,
      ...silentOf(ofCapability, described),
      ...silentOf(ofHook, allAnswers),
    ];
  }

  function runHook(library: LibraryRow) {
    const scheme = schemeOf(rootsOf(library)[0] ?? '');
    const fsPlugin = library.plugin_id ?? parts.filesystemFor(scheme) ?? '';
    const input = { libraryType: library.type, fsPlugin };
    return parts.hooks.run(hook, input, { libraryId: library.id });
  }

  /**
   * The answer of the provider of this type; if that may not see the library, of the next plugin.
   */
  async function describeOnce(library: LibraryRow): Promise<readonly Answer[]> {
    for (const pluginId of parts.providers(`library:${library.type}`)) {
      const answer = await describe(library, pluginId);
      if (answer !== null) return [answer];
    }
    return [];
  }

  /** What its manifest says and what it answers; `null` when it was not granted the library. */
  async function describe(library: LibraryRow, pluginId: string): Promise<Answer | null> {
    const { id: libraryId, type: libraryType } = library;
    const declared = declaredIn(parts.capabilityConfigOf(pluginId), libraryType);
    const options = { timeoutMs: describeTimeoutMs, subject: { libraryId } };
    try {
      const answer = await parts.call(pluginId, 'library.describe', { libraryType }, options);
      const criteria = isMap(answer) ? withoutPatterns(answer) : noCriteria;
      return { pluginId, sought: mergeCriteria(declared, criteria) };
    } catch (error) {
      if (isNotGranted(error)) return null;
      if (isUnhandled(error)) return { pluginId, sought: declared };
      log.warn({ pluginId, err: error }, 'A library plugin did not describe its libraries');
      const reason = error instanceof Error ? error.message : 'No reason was given.';
      return { pluginId, code: codeOf(error), reason };
    }
  }

  /**
   * Stores each plugin's answer; removes those of plugins that are no longer expected to answer.
   */
  async function keep(
    library: LibraryRow,
    said: ReadonlyMap<string, ScanCriteria>,
    absent: readonly AbsentPlugin[],
  ): Promise<void> {
    const kept = new Map(said);
    for (const { pluginId, sought } of absent)
      if (sought === null) kept.delete(pluginId);
      else kept.set(pluginId, sought);
    const sought = storedCriteriaText(kept);
    if (sought === library.sought) return;
    await parts.database.write((trx) => updateLibrary(trx, library.no, { sought }));
  }

  return async (library, signal) => {
    const answers = await askAll(library, signal);
    const said = new Map<string, ScanCriteria>();
    for (const answer of answers)
      if (!isMissed(answer)) {
        const { pluginId, sought } = answer;
        said.set(pluginId, mergeCriteria(said.get(pluginId) ?? noCriteria, sought));
      }
    const before = parseStoredCriteria(library.sought);
    const absent = toAbsent(answers.filter(isMissed), before);
    await keep(library, said, absent);
    return { plan: toPlan(library, [...said.values()]), absent };
  };
}

const isMissed = (answer: Answer): answer is Missed => 'code' in answer;

/** The expected plugins that neither answered nor failed. */
function silentOf(
  expected: readonly ExpectedPlugin[],
  heard: readonly Answer[],
): readonly Missed[] {
  const known = new Set(heard.map(({ pluginId }) => pluginId));
  return expected
    .filter(({ pluginId }) => !known.has(pluginId))
    .map(({ pluginId, presence, reason }) => ({
      pluginId,
      code: presence === 'away' ? 'failed' : 'not_running',
      reason: reason === '' ? 'It was not running.' : reason,
    }));
}

/** One entry for each plugin, with its first reason. */
function toAbsent(
  missed: readonly Missed[],
  before: ReadonlyMap<string, ScanCriteria>,
): readonly AbsentPlugin[] {
  const byId = new Map<string, AbsentPlugin>();
  for (const { pluginId, code, reason } of missed)
    if (!byId.has(pluginId))
      byId.set(pluginId, { pluginId, code, reason, sought: before.get(pluginId) ?? null });
  return [...byId.values()];
}

function toPlan(library: LibraryRow, said: readonly ScanCriteria[]): ScanPlan {
  const all = said.reduce(mergeCriteria, noCriteria);
  const { extensions, patterns } = all;
  const auxiliary = all.auxiliary.filter((extension) => !extensions.includes(extension));
  return { roots: rootsOf(library), extensions, auxiliary, patterns };
}

/** A description has extensions only. */
function withoutPatterns(answer: Readonly<Record<string, unknown>>): ScanCriteria {
  return { ...parseCriteria(answer), patterns: [] };
}

/** The code of the plugin's error, or the kernel's own. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (isMap(cause) && typeof cause['code'] === 'string') return cause['code'];
  if (!(error instanceof KernelError)) return 'plugin_failed';
  return error.code === 'plugin_not_running' ? 'not_running' : error.code;
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
