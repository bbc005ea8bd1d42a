/** What a plugin could not have done in its last run with another grant. Changes nothing. */
import type { Manifest, PermissionName, Permissions } from '../../../plugin-api/index.ts';
import { coversHost } from '../../host-pattern.ts';
import type { Reach, ReachPolicy } from '../../reach.ts';
import { allows, needText } from '../powers/permissions.ts';
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

/** The parts of a dry run. */
export interface DryRunParts {
  readonly lastRun: LastRun;
  readonly granted: Permissions;
  readonly reach: Reach;
  readonly judge: Pick<ReachPolicy, 'lack' | 'text'>;
  /** The version that would run with the grant. */
  readonly manifest: Pick<Manifest, 'permissions'>;
  /** What the plugin stores now. */
  readonly kvBytes: number;
}

const bytesPerMb = 1_000_000;

/** Judges the calls of the last run. */
export function judgeLastRun(parts: DryRunParts): DryRun {
  const { lastRun, granted, reach, manifest, kvBytes } = parts;
  const judged = lastRun.calls.map((use) => judge(use, parts));
  const refused = judged.filter(({ wouldBeRefused }) => wouldBeRefused);
  return {
    since: lastRun.since,
    calls: sum(judged),
    wouldBeRefused: sum(refused),
    entries: [...refused, ...judged.filter(({ wouldBeRefused }) => !wouldBeRefused)],
    effects: [
      ...effectsOf(manifest, granted, kvBytes),
      ...(reach === 'all'
        ? []
        : [`It would receive only calls and events about ${parts.judge.text(reach)}.`]),
    ],
  };
}

const sum = (calls: readonly JudgedCall[]): number =>
  calls.reduce((total, { count, refused }) => total + count - refused, 0);

function judge(use: CountedUse, { granted, reach, judge: places }: DryRunParts): JudgedCall {
  const { call, subject, need, count, refused } = use;
  const lacking = lackOf(use, granted) ?? (reach === 'all' ? null : places.lack(reach, use));
  const times = count === 1 ? 'once' : `${count} times`;
  const on = subject === null ? '' : ` (${subject})`;
  return {
    call,
    subject,
    permission: need?.name ?? null,
    count,
    refused,
    wouldBeRefused: lacking !== null,
    sentence:
      lacking === null
        ? `It called host.${call}${on} ${times}, and still could.`
        : `It called host.${call}${on} ${times}, and would have been refused: ${lacking}.`,
  };
}

/** What the call needs beyond the grant; `null` = nothing. */
function lackOf({ call, subject, need }: CountedUse, granted: Permissions): string | null {
  if (need === null) return null;
  if (!allows(granted, need)) return `${needText(need)} is not granted`;
  if (subject === null) return null;
  if (need.name === 'net' && call === 'net.fetch') {
    const { net = [] } = granted;
    return net.some((pattern) => coversHost(pattern, subject))
      ? null
      : `${subject} is not one of the hosts ${net.join(', ')}`;
  }
  if (
    need.name === 'jobs' &&
    granted.jobs?.includes(subject) !== true &&
    granted.serves?.includes(`job:${subject}`) !== true
  )
    return `jobs of the type ${subject} are not granted`;
  if (need.name === 'calls' && granted.calls?.includes(subject) !== true)
    return `calls of ${subject} are not granted`;
  return null;
}

function effectsOf(
  manifest: DryRunParts['manifest'],
  granted: Permissions,
  kvBytes: number,
): readonly string[] {
  const { permissions } = manifest;
  const { hooks = [], hears = [], serves = [] } = permissions;
  const refused = hooks.filter((name) => !granted.hooks?.includes(name));
  const observed = hooks.filter(
    (name) => name !== 'pipeline.scan.prepare' && !refused.includes(name),
  );
  const silenced = hears.filter((group) => !granted.hears?.includes(group));
  const unserved = serves.filter((key) => !granted.serves?.includes(key));
  const limit = (granted.kv?.quotaMb ?? 0) * bytesPerMb;
  return [
    ...refused.map((name) => `It would not be called at ${name}.`),
    ...(granted.metadata === 'write'
      ? []
      : observed.map((name) => `It would only observe ${name}: metadata: write is not granted.`)),
    ...silenced.map((group) => `It would receive no events of the group ${group}.`),
    ...unserved.map((key) => `It would not serve ${key}.`),
    ...(permissions.wasm === true && granted.wasm !== true
      ? ['It would run without WebAssembly.']
      : []),
    ...(permissions.schedule === true && granted.schedule !== true
      ? ['It would not be called at the times that it has scheduled.']
      : []),
    ...(granted.kv !== undefined && kvBytes > limit
      ? [`It keeps ${kvBytes} bytes, above ${granted.kv.quotaMb} MB: it could store nothing more.`]
      : []),
  ];
}
