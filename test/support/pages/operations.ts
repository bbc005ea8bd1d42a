/** The operations of the API document, which of them a request calls, and which of them no page calls. */
import { readApiDocument } from '../servers/api-document.ts';
import type { PageRequest } from './page-requests.ts';

/** An operation: `{id: 'getItem', role: 'guest', method: 'get', route: '/api/items/{id}'}`. */
export interface Operation {
  readonly id: string;
  /** The least role that may call it. */
  readonly role: string;
  readonly method: string;
  readonly route: string;
}

/** Operations that no page calls, and why. */
export const withoutPage: Readonly<Record<string, string>> = {
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
  getPlayback: 'an item has its playback',
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

/** All operations of the document below `/api/`. */
export async function apiOperations(): Promise<readonly Operation[]> {
  const { paths } = JSON.parse(await readApiDocument()) as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { operationId?: string; 'x-role': string }>>>
    >;
  };
  return Object.entries(paths)
    .filter(([route]) => route.startsWith('/api/'))
    .flatMap(([route, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId: id, 'x-role': role }]) =>
        id === undefined ? [] : [{ id, role, method, route }],
      ),
    );
}

const isParameter = (part: string): boolean => part.startsWith('{');

function fits({ route }: Operation, asked: readonly string[]): boolean {
  const parts = route.split('/');
  return (
    parts.length === asked.length &&
    parts.every((part, at) => (isParameter(part) ? asked[at] !== '' : part === asked[at]))
  );
}

/** Where the first parameter stands; of two routes the server takes the one whose words go further. */
function wordsOf({ route }: Operation): number {
  const at = route.split('/').findIndex(isParameter);
  return at === -1 ? Infinity : at;
}

/** The operation that answers a request, as the router of the server chooses it. */
export function operationOf(
  operations: readonly Operation[],
  request: PageRequest,
): Operation | undefined {
  const asked = request.path.split('/');
  return operations
    .filter((one) => one.method.toUpperCase() === request.method && fits(one, asked))
    .toSorted((one, other) => wordsOf(other) - wordsOf(one))[0];
}

/** The operations that need a page and that no request of a page called. */
export function uncalledOperations(
  operations: readonly Operation[],
  requests: readonly PageRequest[],
): readonly Operation[] {
  const called = new Set(requests.map((request) => operationOf(operations, request)?.id));
  return operations.filter(({ id }) => !called.has(id) && withoutPage[id] === undefined);
}
