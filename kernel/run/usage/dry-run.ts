/** What a plugin could not have done in its last run with another grant. Changes nothing. */
import type { Manifest, PermissionName, Permissions } from '../../../plugin-api/index.ts';
import { coversHost } from '../../host-pattern.ts';
import type { Reach, ReachPolicy } from '../../call/reach.ts';
import { allows } from '../powers/permissions.ts';
import { callName, dryRunWords, powerName, servedName } from './dry-run-names.ts';
import type { DryRunWords } from './dry-run-words.ts';
import type { CountedUse, LastRun } from './power-log.ts';

/** One call of the last run, judged by the other grant. */
export interface JudgedCall {
  readonly call: string;
  readonly subject: string | null;
  readonly permission: PermissionName | null;
  readonly count: number;
  /** How often it was refused in that run. */
  readonly refused: number;
  readonly wouldBeRefused: boolean;
  /** The result in plain words. */
  readonly sentence: string;
}

/** The result of a dry run. */
export interface DryRun {
  /** When the last run began, ISO 8601; `null` = it has never been started. */
  readonly since: string | null;
  /** Calls that succeeded, and those of them that would be refused. */
  readonly calls: number;
  readonly wouldBeRefused: number;
  /** Refused calls first, then by frequency. */
  readonly entries: readonly JudgedCall[];
  /** Other differences. */
  readonly effects: readonly string[];
}

export interface DryRunParts {
  readonly lastRun: LastRun;
  readonly granted: Permissions;
  readonly reach: Reach;
  readonly judge: Pick<ReachPolicy, 'lack' | 'text'>;
  /** The version that would run with the grant. */
  readonly manifest: Pick<Manifest, 'permissions'>;
  /** What the plugin stores now. */
  readonly kvBytes: number;
  /** The language of the reader (BCP 47); `null` = English. */
  readonly locale: string | null;
}

const bytesPerMb = 1_000_000;

/** Judges the calls of the last run. */
export function judgeLastRun(parts: DryRunParts): DryRun {
  const { lastRun, reach, judge: places, locale } = parts;
  const words = dryRunWords(locale);
  const judged = lastRun.calls.map((use) => judge(use, parts, words));
  const refused = judged.filter(({ wouldBeRefused }) => wouldBeRefused);
  return {
    since: lastRun.since,
    calls: sum(judged),
    wouldBeRefused: sum(refused),
    entries: [...refused, ...judged.filter(({ wouldBeRefused }) => !wouldBeRefused)],
    effects: [
      ...effectsOf(parts, words),
      ...(reach === 'all' ? [] : [words.onlyPlaces(places.text(reach, locale))]),
    ],
  };
}

const sum = (calls: readonly JudgedCall[]): number =>
  calls.reduce((total, { count, refused }) => total + count - refused, 0);

function judge(
  use: CountedUse,
  { granted, reach, judge: places, locale }: DryRunParts,
  words: DryRunWords,
): JudgedCall {
  const { call, subject, need, count, refused } = use;
  const lacking =
    lackOf(use, granted, words) ?? (reach === 'all' ? null : places.lack(reach, use, locale));
  return {
    call,
    subject,
    count,
    refused,
    permission: need?.name ?? null,
    wouldBeRefused: lacking !== null,
    sentence: words.call({ did: callName(words, call), subject, count, lacking }),
  };
}

/** What the call needs beyond the grant; `null` = nothing. */
function lackOf(
  { call, subject, need }: CountedUse,
  granted: Permissions,
  words: DryRunWords,
): string | null {
  if (need === null) return null;
  if (!allows(granted, need)) return words.notGranted(powerName(words, need));
  if (subject === null) return null;
  if (need.name === 'net' && call === 'net.fetch') {
    const { net = [] } = granted;
    return net.some((pattern) => coversHost(pattern, subject))
      ? null
      : words.notHost(subject, net.join(', '));
  }
  if (
    need.name === 'jobs' &&
    granted.jobs?.includes(subject) !== true &&
    granted.serves?.includes(`job:${subject}`) !== true
  )
    return words.notJob(subject);
  if (need.name === 'calls' && granted.calls?.includes(subject) !== true)
    return words.notCall(subject);
  return null;
}

function effectsOf(
  { manifest, granted, kvBytes }: DryRunParts,
  words: DryRunWords,
): readonly string[] {
  const { permissions } = manifest;
  const { hooks = [], hears = [], serves = [] } = permissions;
  const refused = hooks.filter((name) => !granted.hooks?.includes(name));
  const observed = hooks.filter(
    (name) => name !== 'pipeline.scan.prepare' && !refused.includes(name),
  );
  const silenced = hears.filter((group) => !granted.hears?.includes(group));
  const unserved = serves.filter((key) => !granted.serves?.includes(key));
  const quotaMb = granted.kv?.quotaMb ?? 0;
  return [
    ...refused.map((hook) => words.notHooked(words.moments[hook])),
    ...(granted.metadata === 'write'
      ? []
      : observed.map((hook) => words.onlyObserves(words.moments[hook]))),
    ...silenced.map((group) => words.notHeard(words.groups[group])),
    ...unserved.map((key) => words.notServed(servedName(words, key))),
    ...(permissions.wasm === true && granted.wasm !== true ? [words.noWasm] : []),
    ...(permissions.schedule === true && granted.schedule !== true ? [words.noSchedule] : []),
    ...(granted.kv !== undefined && kvBytes > quotaMb * bytesPerMb
      ? [words.full(kvBytes, quotaMb)]
      : []),
  ];
}
