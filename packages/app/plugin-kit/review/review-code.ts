/** Finds names in a bundle that no server has. It reads only the text, and assumes that unclear code is right. */
import type { Manifest } from '../../../../plugin-api/index.ts';
import { hostMethods } from '../../../../plugin-api/server/index.ts';
import { pageSlots } from '../../../../kernel/call/views/index.ts';
import { warning, type Finding } from './finding.ts';
import type { HostCall } from './host-calls.ts';
import { lackingGlobals } from './lacking-globals.ts';
import type { ReadCode } from './read-code.ts';

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
  const methods = new Map<string, object>(Object.entries(hostMethods));
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
