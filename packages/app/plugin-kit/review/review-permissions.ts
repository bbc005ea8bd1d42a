/** Finds permissions that a plugin asks for and never uses, or uses and never asks for, from its bundle. */
import type { Manifest } from '../../../../plugin-api/index.ts';
import { hostCalls, type ServiceName } from '../../../../plugin-api/server/index.ts';
import { warning, type Finding } from './finding.ts';
import type { HostCall } from './host-calls.ts';
import type { ReadCode } from './read-code.ts';

/** The services behind each permission; `host.jobs` is used in another way, too. */
const services: ReadonlyMap<string, readonly ServiceName[]> = servicesByPower();

function servicesByPower(): ReadonlyMap<string, readonly ServiceName[]> {
  const found = new Map<string, ReadonlySet<ServiceName>>();
  for (const { service, record } of hostCalls) {
    const power = record.permission?.name;
    if (power !== undefined && power !== 'jobs')
      found.set(power, new Set(found.get(power)).add(service));
  }
  return new Map([...found].map(([power, ofPower]) => [power, [...ofPower]]));
}

/** Checks the text of a bundle; a use that the text cannot show is assumed. */
export function reviewPermissions(
  manifest: Manifest,
  code: ReadCode,
  calls: readonly HostCall[],
): readonly Finding[] {
  const asked = new Set(Object.keys(manifest.permissions));
  asked.delete('reasons');
  const unused = [...asked].filter((name) => isUnused(name, manifest, code));
  return [
    ...unused.map((name) =>
      warning(
        'permission-unused',
        `permissions.${name} is asked for, and the plugin never uses ${usedBy(name)}.`,
      ),
    ),
    ...missingIn(asked, code, calls),
    ...reviewJobs(manifest, code, calls),
    ...reviewHooks(manifest),
  ];
}

function missingIn(
  asked: ReadonlySet<string>,
  { text, globals }: ReadCode,
  calls: readonly HostCall[],
): readonly Finding[] {
  const called = new Set(calls.map(({ service }) => service));
  const denied = [...services].flatMap(([name, ofPower]) =>
    ofPower.filter((service) => called.has(service)).map((service) => [name, service] as const),
  );
  const used = [
    ...denied.map(([name, service]) => [name, `calls host.${service}`, everyCall] as const),
    ...(text.includes('{secret:')
      ? [['secrets', 'names a {secret:…} in a header', 'every such request is denied'] as const]
      : []),
    ...(globals.has('WebAssembly')
      ? [['wasm', 'uses WebAssembly', 'its sandbox has none'] as const]
      : []),
  ];
  return used
    .filter(([name], at) => !asked.has(name) && used.findIndex(([other]) => other === name) === at)
    .map(([name, what, so]) =>
      warning(
        'permission-missing',
        `The plugin ${what}, and permissions.${name} is not asked for: ${so}.`,
      ),
    );
}

const everyCall = 'every such call is denied';

/** The manifest must name all job types that a plugin may start, also its own. */
function reviewJobs(
  manifest: Manifest,
  { text }: ReadCode,
  calls: readonly HostCall[],
): readonly Finding[] {
  if (!calls.some(({ service }) => service === 'jobs')) return [];
  const { permissions, capabilityConfig } = manifest;
  const named = new Set([...(permissions.jobs ?? []), ...(capabilityConfig?.jobs?.runs ?? [])]);
  if (named.size === 0)
    return [
      warning(
        'permission-missing',
        `The plugin calls host.jobs, and neither permissions.jobs nor capabilityConfig.jobs.runs names a type: ${everyCall}.`,
      ),
    ];
  const enqueued = [...text.matchAll(/\.enqueue\(\{[^{}]*?\btype:\s*"([^"]+)"/g)];
  const missing = new Set(enqueued.map(([, type = '']) => type).filter((type) => !named.has(type)));
  return [...missing].map((type) =>
    warning(
      'permission-missing',
      `The plugin enqueues jobs of the type ${type}, and permissions.jobs does not name it: ${everyCall}.`,
    ),
  );
}

function isUnused(name: string, manifest: Manifest, { text: code }: ReadCode): boolean {
  const { capabilities, subscriptions } = manifest;
  if (name === 'wasm') return !/\bWebAssembly\b/.test(code);
  if (name === 'jobs') return !/\.enqueue\b|["']job\.run["']/.test(code);
  if (name === 'metadata') {
    const isWriter = capabilities.some((one) => one === 'indexer' || one === 'probe');
    return !isWriter && !(subscriptions?.hooks ?? []).some((hook) => isItemHook(hook.name));
  }
  // A secret in a header needs no call: `{secret:name}`.
  if (name === 'secrets' && code.includes('{secret:')) return false;
  const ofPower = servicesOf(name);
  return ofPower.length > 0 && !ofPower.some((service) => isNamed(service, code));
}

const servicesOf = (name: string): readonly ServiceName[] => services.get(name) ?? [];

const usedBy = (name: string): string => {
  const ofPower = servicesOf(name);
  if (ofPower.length > 0) return ofPower.map((service) => `host.${service}`).join(' or ');
  return name === 'wasm'
    ? 'WebAssembly'
    : name === 'jobs'
      ? 'host.jobs or job.run'
      : 'an item hook';
};

/**
 * As a property or taken apart. The section `events` of a plugin is named like a service, too, and `.net`
 * ends many an address.
 */
const isNamed = (service: ServiceName, code: string): boolean =>
  service === 'events'
    ? /\bemit\b/.test(code)
    : new RegExp(`\\.${service}\\b(?!["'\`/:])|[{,]\\s*${service}\\b|["']${service}["']`).test(
        code,
      );

const isItemHook = (name: string): boolean => name.endsWith('.afterProcess');

function reviewHooks({ permissions, subscriptions }: Manifest): readonly Finding[] {
  if (permissions.metadata === 'write') return [];
  return (subscriptions?.hooks ?? [])
    .filter(({ name }) => isItemHook(name))
    .map(({ name }) =>
      warning(
        'hook-without-permission',
        `The hook ${name} only observes: to change items it needs permissions.metadata, "write".`,
      ),
    );
}
