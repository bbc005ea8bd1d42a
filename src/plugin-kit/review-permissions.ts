/** Which powers a plugin asks for and never uses, or uses and never asks for: a look at its bundle. */
import type { Host, Manifest, PermissionName } from '../../plugin-api/index.ts';
import { warning, type Finding } from './finding.ts';

/** The service behind each power; the others are used in another way. */
const services: Readonly<Partial<Record<PermissionName, keyof Host>>> = {
  net: 'net',
  files: 'fs',
  disk: 'disk',
  library: 'library',
  kv: 'kv',
  textIndex: 'textIndex',
  events: 'events',
  eventLog: 'eventLog',
  notifications: 'notifications',
  schedule: 'schedule',
  secrets: 'secrets',
};

/** Looks at a bundle without comments; what it cannot see it holds for used. */
export function reviewPermissions(manifest: Manifest, code: string): readonly Finding[] {
  const asked = new Set(Object.keys(manifest.permissions));
  asked.delete('reasons');
  const unused = [...asked].filter((name) => isUnused(name, manifest, code));
  const missing = Object.entries(services).filter(
    ([name, service]) => !asked.has(name) && isCalled(service, code),
  );
  return [
    ...unused.map((name) =>
      warning(
        'permission-unused',
        `permissions.${name} is asked for, and the plugin never uses ${usedBy(name)}.`,
      ),
    ),
    ...missing.map(([name, service]) =>
      warning(
        'permission-missing',
        `The plugin calls host.${service}, and permissions.${name} is not asked for: every such call is denied.`,
      ),
    ),
    ...reviewHooks(manifest),
  ];
}

function isUnused(name: string, manifest: Manifest, code: string): boolean {
  const { capabilities, subscriptions } = manifest;
  if (name === 'wasm') return !/\bWebAssembly\b/.test(code);
  if (name === 'jobs') return !/\.enqueue\b|["']job\.run["']/.test(code);
  if (name === 'metadata') {
    const isWriter = capabilities.some((one) => one === 'indexer' || one === 'probe');
    return !isWriter && !(subscriptions?.hooks ?? []).some((hook) => isItemHook(hook.name));
  }
  // A secret in a header needs no call: `{secret:name}`.
  if (name === 'secrets' && code.includes('{secret:')) return false;
  const service = Object.entries(services).find(([power]) => power === name)?.[1];
  return service !== undefined && !isNamed(service, code);
}

const usedBy = (name: string): string => {
  const service = Object.entries(services).find(([power]) => power === name)?.[1];
  if (service !== undefined) return `host.${service}`;
  return name === 'wasm'
    ? 'WebAssembly'
    : name === 'jobs'
      ? 'host.jobs or job.run'
      : 'an item hook';
};

/** As a property or taken apart. The section `events` of a plugin is named like a service, too. */
const isNamed = (service: keyof Host, code: string): boolean =>
  service === 'events'
    ? /\bemit\b/.test(code)
    : new RegExp(`\\.${service}\\b|[{,]\\s*${service}\\b|["']${service}["']`).test(code);

const isCalled = (service: keyof Host, code: string): boolean =>
  new RegExp(`\\bhost\\.${service}\\.\\w+\\(`).test(code);

const isItemHook = (name: string): boolean => name.endsWith('.afterProcess');

function reviewHooks({ permissions, subscriptions }: Manifest): readonly Finding[] {
  if (permissions.metadata === 'write') return [];
  return (subscriptions?.hooks ?? [])
    .filter(({ name }) => isItemHook(name))
    .map(({ name }) =>
      warning(
        'hook-without-permission',
        `The hook ${name} only looks on: to change items it needs permissions.metadata, "write".`,
      ),
    );
}
