/** Every operation of the API that people need is called by a page (design/web.md 5.9, check 18). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readApiDocument } from '../support/servers/api-document.ts';

const pages = path.resolve(import.meta.dirname, '../../src/console');

/** Operations that no page calls, and why. */
const withoutPage: Readonly<Record<string, string>> = {
  answerReachabilityCheck: 'a broker asks it',
  beginIdentitySession: 'apps sign in with an identity by it',
  completeIdentitySession: 'apps sign in with an identity by it',
  createAssetLink: 'for devices to which an app gives a picture',
  deleteNotification: 'pages mark notifications as read, and the server removes old ones',
  getFile: 'an item has its files',
  getFirstParts: 'its URL comes with the session',
  getFont: 'its URL comes with the list of fonts',
  getGroup: 'the list of groups has every field',
  getIdentityLink: 'the list of links has every field',
  getIdentityViewer: 'apps with an identity ask it',
  getJob: 'the list of jobs has every field',
  getKeyframePlaylist: 'its URL comes with the session',
  getMasterPlaylist: 'its URL comes with the session',
  getProfile: 'the list of profiles has every field',
  getProfileAvatar: 'its URL comes with the profile',
  getReadiness: 'for load balancers',
  getSegment: 'its URL comes with the session',
  getSessionFile: 'its URL comes with the session',
  getSessionFont: 'its URL comes with the session',
  getSessionText: 'its URL comes with the session',
  getTrackPlaylist: 'its URL comes with the session',
  getTrickplay: 'its URL comes with the session',
  getTextTrack: 'its URL comes with the file',
  getWebhook: 'the list of webhooks has every field',
  listContinueWatching: 'the home page reads it with its other rows',
  listItemChapters: 'an item has its chapters',
  listMarketplaceSources: 'the marketplace has its sources',
  listNextUp: 'the home page reads it with its other rows',
  listRatingSystems: 'for apps that show the ages of a country',
  openEventSocket: 'the live feed makes its URL',
  previewInviteByPath: 'the page of an invite sends the token in a body',
  redeemInviteByPath: 'the page of an invite sends the token in a body',
  runPluginAction: 'pages send actions with the place of their piece',
  showApiDocs: 'a page itself',
  streamEvents: 'pages use the WebSocket',
};

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly route: string;
}

async function operations(): Promise<readonly Operation[]> {
  const { paths } = JSON.parse(await readApiDocument()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string }>>>>;
  };
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id }]) =>
      id === undefined ? [] : [{ id, method, route }],
    ),
  );
}

/** What a page names: `call('get', '/api/items')`, or a route in another text, with any method. */
interface Named {
  readonly method: string | null;
  readonly route: string;
}

function namedRoutes(text: string): readonly Named[] {
  const calls = /\bcall\(\s*(?:'(\w+)'|[^,'"`]+),\s*(['`])(\/[^'`]*)\2/g;
  const named: Named[] = [];
  const rest = text.replaceAll(
    calls,
    (_whole, method: string | undefined, _quote, route: string) => {
      named.push({ method: method ?? null, route });
      return '';
    },
  );
  for (const [, , route = ''] of rest.matchAll(/(['`"])(\/(?:api|metrics)\b[^'`"]*)\1/g))
    named.push({ method: null, route });
  return named;
}

/** `/api/items/{id}` and `/api/items/${item.id}?x` are one pattern. */
const patternOf = (route: string): string =>
  route.replace(/\?.*$/, '').replaceAll(/\$\{[^}]*\}|\{[^}]*\}/g, '*');

/** A part that a page puts in may be a word of the route: `/api/plugins/{id}/${verb}`. */
function fits(named: string, route: string): boolean {
  const [own, other] = [named.split('/'), route.split('/')];
  return own.length === other.length && own.every((part, at) => part === '*' || part === other[at]);
}

describe('the operations of the API', () => {
  test('are each called by a page, or are in the list of those that need none', async () => {
    const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !name.includes('.test.'),
    );
    const named = files
      .flatMap((name) => namedRoutes(readFileSync(path.join(pages, name), 'utf8')))
      .map(({ method, route }) => ({ method, route: patternOf(route) }));
    const all = (await operations()).filter(({ route }) => route.startsWith('/api/'));
    const isCalled = ({ method, route }: Operation): boolean =>
      named.some((one) => (one.method ?? method) === method && fits(one.route, patternOf(route)));

    expect(named.length).toBeGreaterThan(150);
    const missing = all.filter((one) => !isCalled(one) && withoutPage[one.id] === undefined);
    expect(missing.map(({ id }) => id)).toEqual([]);
    const needless = Object.keys(withoutPage).filter((id) =>
      all.every((one) => one.id !== id || isCalled(one)),
    );
    expect(needless).toEqual([]);
  });
});
