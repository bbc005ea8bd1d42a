/** What a bundle names that no server has: a look at its text, which holds what it cannot see for right. */
import type { Host, Manifest } from '../../plugin-api/index.ts';
import { pageSlots } from '../../kernel/index.ts';
import { warning, type Finding } from './finding.ts';

type Services = Omit<Host, 'viewer'>;

/** The compiler sees to it that none is missing. */
const hostMethods: {
  readonly [S in keyof Services]: Readonly<Record<keyof Services[S], true>>;
} = {
  config: { get: true },
  disk: {
    ...{ list: true, digest: true, stat: true, read: true, resolve: true, changes: true },
    unwatch: true,
  },
  eventLog: { follow: true, read: true, release: true },
  events: { emit: true },
  fs: { list: true, stat: true, read: true, readRanges: true },
  jobs: { enqueue: true },
  kv: {
    ...{ get: true, set: true, remove: true, list: true, scan: true, batch: true, count: true },
    trim: true,
  },
  library: { get: true, item: true, changes: true, pages: true, reconcile: true },
  net: { fetch: true },
  notifications: { tell: true },
  schedule: { set: true, clear: true, list: true },
  secrets: { list: true, create: true, remove: true, sign: true },
  textIndex: {
    ...{ put: true, remove: true, clear: true, size: true, query: true, queryKinds: true },
    similar: true,
  },
};

/** What a sandbox lacks, how a plugin uses it, and what there is in its place. */
const lacking: readonly (readonly [name: string, use: RegExp, instead: string])[] = [
  ['fetch', /(?<![.\w$])fetch\s*\(/, 'host.net.fetch asks the network'],
  ['process', /(?<![.\w$])process\.\w/, 'host.config has the values that an admin sets'],
  ['Buffer', /(?<![.\w$])Buffer\s*[.(]/, 'Uint8Array, TextEncoder and TextDecoder are there'],
  ['require', /(?<![.\w$])require\s*\(/, 'bundle what it needs with vitrine plugin build'],
  ['setImmediate', /(?<![.\w$])setImmediate\s*\(/, 'setTimeout is there'],
  ['XMLHttpRequest', /(?<![.\w$])new XMLHttpRequest\b/, 'host.net.fetch asks the network'],
];

/** Looks at a bundle without comments. */
export function reviewCode({ subscriptions }: Manifest, code: string): readonly Finding[] {
  const hasViews = (subscriptions?.views ?? []).length > 0;
  return [...lackingIn(code), ...unknownMethodsIn(code), ...(hasViews ? viewsIn(code) : [])];
}

const lackingIn = (code: string): readonly Finding[] =>
  lacking
    .filter(([name, use]) => use.test(code) && !isOwn(name, code))
    .map(([name, , instead]) =>
      warning(
        'not-in-sandbox',
        `The plugin uses ${name}, which no sandbox has: ${instead}. docs/plugin-globals.md lists what is there.`,
      ),
    );

/** The plugin has something of that name itself, or asks first whether it is there. */
const isOwn = (name: string, code: string): boolean =>
  new RegExp(
    `\\btypeof ${name}\\b|\\b(?:function|const|let|var|class)\\s+${name}\\b|[{,(]\\s*${name}\\s*[,})=:]`,
  ).test(code);

function unknownMethodsIn(code: string): readonly Finding[] {
  const called = [...code.matchAll(/(?<![.\w$])host\.(\w+)\.(\w+)\s*\(/g)];
  const unknown = called.flatMap(([, service = '', method = '']) => {
    const known = new Map(Object.entries(hostMethods)).get(service);
    return known && !Object.hasOwn(known, method) ? [[service, method, known] as const] : [];
  });
  const messages = unknown.map(
    ([service, method, known]) =>
      `host.${service} has no method ${method}; it has ${Object.keys(known).join(', ')}.`,
  );
  return [...new Set(messages)].map((message) => warning('host-method-unknown', message));
}

/** Pieces of interface are dropped at run time, where nobody sees why. */
function viewsIn(code: string): readonly Finding[] {
  const slots = [...code.matchAll(/\bslot:\s*["'`]([\w.-]+)["'`]/g)].map(([, slot = '']) => slot);
  const unknown = [...new Set(slots)].filter((slot) => !pageSlots.includes(slot));
  return [
    ...unknown.map((slot) =>
      warning(
        'view-unknown',
        `The slot ${slot} is not one of a page, and its pieces are dropped; there are ${pageSlots.join(', ')}.`,
      ),
    ),
    ...(/\btype:\s*["'`]html["'`]/.test(code)
      ? [
          warning(
            'view-unknown',
            'A piece of the type html is dropped; a view gives the types form, metadata and action.',
          ),
        ]
      : []),
  ];
}
