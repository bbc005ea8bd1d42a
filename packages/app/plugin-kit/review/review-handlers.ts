/** Whether a plugin handles what its manifest declares, and declares what it handles. */
import type { Capability, Manifest, MethodName } from '../../../../plugin-api/index.ts';
import { isOwnJobType, serverJobTypes } from '../../../../kernel/run/powers/index.ts';
import { warning, type Finding } from './finding.ts';
import type { DescribedPlugin } from '../packing/guest-test-harness.ts';

/** The methods that a server calls, by capability. */
const needed: Readonly<Partial<Record<Capability, readonly MethodName[]>>> = {
  filesystem: ['filesystem.validate', 'filesystem.list', 'filesystem.stat', 'filesystem.read'],
  // The manifest may say all of it, and the next library plugin is asked for what has no handler.
  library: [],
  probe: ['probe.probe'],
  indexer: ['indexer.supports', 'indexer.index'],
  search: ['search.index', 'search.query'],
  license: ['license.activate', 'license.status', 'license.deactivate'],
  notifier: ['notifier.deliver'],
  transcode: ['transcode.index', 'transcode.init', 'transcode.segment'],
};

/** Compares the manifest with the handlers. */
export function reviewHandlers(manifest: Manifest, plugin: DescribedPlugin): readonly Finding[] {
  const { events = [], hooks = [], views = [] } = manifest.subscriptions ?? {};
  const hookNames = hooks.map(({ name }) => name);
  const methods = manifest.capabilities.flatMap((capability) => needed[capability] ?? []);
  const wakes = manifest.permissions.schedule === true ? ['schedule.wake'] : [];
  const jobs = plugin.methods.includes('job.run') ? [] : jobsRunBy(manifest);
  /** With what is not a function, which is told by itself. */
  const handled = (section: Exclude<keyof DescribedPlugin, 'notFunctions'>): readonly string[] => [
    ...plugin[section],
    ...plugin.notFunctions.map(placeOf).flatMap((at) => (at[0] === section ? [at[1]] : [])),
  ];
  return [
    ...plugin.notFunctions.map(notFunction),
    ...compared('event', events, handled('events'), overlap),
    ...compared('hook', hookNames, handled('hooks'), same),
    ...compared('view', views, handled('views'), same),
    ...compared('action', actionNames(manifest), handled('actions'), same),
    ...compared('export', (manifest.exports ?? []).map(nameOf), handled('exports'), same),
    ...[...methods, ...wakes].filter((name) => !plugin.methods.includes(name)).map(missingMethod),
    ...jobs.map(missingJob),
    ...plugin.methods.filter((name) => isUncalled(name, manifest)).map(uncalledMethod),
  ];
}

/** Its own job types, and those of the server that it would run. */
function jobsRunBy({ id, permissions, capabilityConfig = {} }: Manifest): readonly string[] {
  const named = (permissions.jobs ?? []).filter(
    (type) => isOwnJobType(type, id) || (!type.includes('.') && !serverJobTypes.has(type)),
  );
  return [...new Set([...named, ...(capabilityConfig.jobs?.runs ?? [])])];
}

const missingJob = (type: string): Finding =>
  warning(
    'handler-missing',
    `manifest.json names the job type ${type}, and nothing handles job.run: such a job fails.`,
  );

const actionNames = ({ actions = [] }: Manifest): readonly string[] =>
  actions.map((one) => (typeof one === 'string' ? one : one.name));

const nameOf = ({ name }: { readonly name: string }): string => name;

type Fits = (one: string, other: string) => boolean;

const same: Fits = (one, other) => one === other;

/** Whether some event matches both patterns. */
const overlap: Fits = (one, other) => {
  const [left, right] = [one.split('.'), other.split('.')];
  return (
    left.length === right.length &&
    left.every((part, at) => part === '*' || right[at] === '*' || part === right[at])
  );
};

function compared(
  kind: string,
  declared: readonly string[],
  handled: readonly string[],
  fits: Fits,
): readonly Finding[] {
  const missing = declared.filter((name) => !handled.some((one) => fits(name, one)));
  const surplus = handled.filter((name) => !declared.some((one) => fits(name, one)));
  return [
    ...missing.map((name) =>
      warning(
        'handler-missing',
        `manifest.json names the ${kind} ${name}, and nothing handles it.`,
      ),
    ),
    ...surplus.map((name) =>
      warning(
        'handler-undeclared',
        `The plugin handles the ${kind} ${name}, and manifest.json does not name it: it is never called.`,
      ),
    ),
  ];
}

/** The section, the name and the type in `actions.go: string`. */
function placeOf(one: string): readonly [section: string, name: string, type: string] {
  const [dot, colon] = [one.indexOf('.'), one.lastIndexOf(': ')];
  return [one.slice(0, dot), one.slice(dot + 1, colon), one.slice(colon + 2)];
}

function notFunction(one: string): Finding {
  const [section, name, type] = placeOf(one);
  return {
    level: 'error',
    code: 'handler-wrong',
    message: `${section}.${name} of the default export is of the type ${type}; right is a function (input, host) => answer.`,
  };
}

const missingMethod = (name: string): Finding =>
  warning('handler-missing', `manifest.json promises ${name}, and nothing handles it.`);

/** A method of a capability that the plugin does not provide; others may be for anybody. */
function isUncalled(name: string, manifest: Manifest): boolean {
  const { capabilities, permissions } = manifest;
  if (name.startsWith('testHarness.')) return false;
  if (name === 'schedule.wake') return permissions.schedule !== true;
  if (name === 'job.run') return jobsRunBy(manifest).length === 0;
  const [family = ''] = name.split('.');
  return Object.hasOwn(needed, family) && !capabilities.some((one) => one === family);
}

const uncalledMethod = (name: string): Finding =>
  warning(
    'handler-undeclared',
    `The plugin handles ${name}, and manifest.json does not ask for what calls it: ${name.split('.')[0] ?? ''}.`,
  );
