/** Finds names in a bundle that no server has. It reads only the text, and assumes that unclear code is right. */
import type { Host, Manifest } from '../../../plugin-api/index.ts';
import { pageSlots } from '../../../kernel/views/index.ts';
import { warning, type Finding } from './finding.ts';
import type { HostCall } from './host-calls.ts';
import { lackingGlobals } from './lacking-globals.ts';
import type { ReadCode } from './read-code.ts';

type Services = Omit<Host, 'viewer'>;

/** The compiler checks that none is missing. */
const hostMethods: {
  readonly [S in keyof Services]: Readonly<Record<keyof Services[S], true>>;
} = {
  config: { get: true, ofProfile: true },
  crypto: {
    ...{ digest: true, hmac: true, seal: true, open: true, verify: true, equal: true },
    random: true,
  },
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
  media: { list: true, get: true, counts: true, search: true },
  net: { fetch: true },
  notifications: { tell: true },
  plugins: { call: true },
  schedule: { set: true, clear: true, list: true },
  secrets: { digest: true, list: true, create: true, remove: true, sign: true },
  textIndex: {
    ...{ put: true, remove: true, clear: true, size: true, query: true, queryKinds: true },
    similar: true,
  },
};

/** The services of `host`, for `hostCallsIn`. */
export const hostServices: ReadonlySet<string> = new Set(Object.keys(hostMethods));

/** The text of a bundle, and its calls of `host`. */
export function reviewCode(
  { subscriptions }: Manifest,
  code: ReadCode,
  calls: readonly HostCall[],
): readonly Finding[] {
  const hasViews = (subscriptions?.views ?? []).length > 0;
  return [...lackingIn(code), ...unknownIn(calls), ...(hasViews ? viewsIn(code.text) : [])];
}

const lackingIn = ({ globals }: ReadCode): readonly Finding[] =>
  [...lackingGlobals]
    .filter(([name]) => globals.has(name))
    .map(([name, instead]) =>
      warning(
        'not-in-sandbox',
        `The plugin uses ${name}, which no sandbox has: ${instead}. docs/plugin-globals.md lists what is there.`,
      ),
    );

function unknownIn(calls: readonly HostCall[]): readonly Finding[] {
  const methods = new Map(Object.entries(hostMethods));
  const messages = calls.flatMap(({ service, method }): readonly string[] => {
    const known = methods.get(service);
    if (known === undefined)
      return [`host has no service ${service}; it has ${[...methods.keys()].join(', ')}.`];
    return Object.hasOwn(known, method)
      ? []
      : [`host.${service} has no method ${method}; it has ${Object.keys(known).join(', ')}.`];
  });
  return [...new Set(messages)].map((message) => warning('host-method-unknown', message));
}

/** The server drops invalid pieces at run time without an error that the author sees. */
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
