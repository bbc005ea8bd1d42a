/**
 * Every method that a plugin may call, and what the person for whom it works must see or be for that.
 * The compiler sees to it that none is missing.
 */
import { isMap, listOf, type Fields, type HostCallName, type OwnPowers } from './outward.ts';
import type { Seen } from './seen.ts';

/** Asks whether the viewer sees all that a call names. */
export type ViewerRule = (seen: Seen, input: Fields, own: OwnPowers) => boolean | Promise<boolean>;

/** It touches nothing but what is the plugin's own. */
const apart: ViewerRule = () => true;
/** It leaves out of its answer what is not seen. */
const filtered: ViewerRule = () => true;
/** What admins alone may do. */
const adminsOnly: ViewerRule = ({ isAdmin }) => isAdmin;

const atUri: ViewerRule = ({ uri }, input) => uri(input['uri']);
const atPath: ViewerRule = ({ uri }, { path }) => uri(uriOfPath(path));

/** Each of a list, one after the other: the first that is not seen decides. */
async function every(
  values: readonly unknown[],
  sees: (value: unknown) => Promise<boolean>,
): Promise<boolean> {
  for (const value of values) if (!(await sees(value))) return false;
  return true;
}

/** A secret of a library that is seen, or of the viewer, or of the plugin itself. */
function ownsScope(seen: Seen, scope: unknown): boolean {
  if (!isMap(scope)) return true;
  return 'libraryId' in scope ? seen.part(scope['libraryId']) : seen.isSelf(scope);
}

const ofScope: ViewerRule = (seen, { scope }) => ownsScope(seen, scope);

/** The secrets that headers name are used as those of `host.secrets` are. */
const withHeaders: ViewerRule = (seen, { headers }) =>
  !isMap(headers) ||
  Object.values(headers).every((value) =>
    [...String(value).matchAll(/\{secret:[^{};]*;(library|user|profile)=([^{}]*)\}/g)].every(
      ([, kind, id]) => ownsScope(seen, scopeNamed(kind, id)),
    ),
  );

const scopeNamed = (kind: string | undefined, id: string | undefined): Fields => {
  if (kind === 'library') return { libraryId: id };
  return kind === 'user' ? { userId: id } : { profile: id };
};

/** The table. */
export const viewerRules: Readonly<Record<HostCallName, ViewerRule>> = {
  'config.get': apart,
  'disk.changes': atPath,
  'disk.digest': atPath,
  'disk.list': ({ uri }, { paths }) => every(listOf(paths).map(uriOfPath), uri),
  'disk.read': atPath,
  'disk.resolve': atPath,
  'disk.stat': atPath,
  'disk.unwatch': atPath,
  // It tells what everybody did.
  'eventLog.follow': adminsOnly,
  'eventLog.read': adminsOnly,
  'eventLog.release': adminsOnly,
  'events.emit': apart,
  'fs.list': async ({ uri }, input) =>
    (await uri(input['uri'])) &&
    (input['ignoreFilesFrom'] === undefined || (await uri(input['ignoreFilesFrom']))),
  'fs.read': atUri,
  'fs.readRanges': ({ uri }, { ranges }) =>
    every(
      listOf(ranges).map((range) => (isMap(range) ? range['uri'] : undefined)),
      uri,
    ),
  'fs.stat': atUri,
  // The plugin's own jobs are its own work; those of the server are for admins, as over HTTP.
  'jobs.enqueue': ({ isAdmin, part }, { libraryId, type }, own) =>
    isAdmin || (own.runs(type) && (libraryId === undefined || part(libraryId))),
  'kv.batch': apart,
  'kv.count': apart,
  'kv.get': apart,
  'kv.list': apart,
  'kv.remove': apart,
  'kv.scan': apart,
  'kv.set': apart,
  'kv.trim': apart,
  'library.changes': filtered,
  'library.get': ({ part }, { libraryId }) => part(libraryId),
  'library.item': ({ item }, { itemId }) => item(itemId),
  'library.pages': adminsOnly,
  'library.reconcile': adminsOnly,
  'net.fetch': withHeaders,
  'notifications.tell': apart,
  'schedule.clear': apart,
  'schedule.list': apart,
  'schedule.set': apart,
  'secrets.create': ofScope,
  'secrets.list': filtered,
  'secrets.remove': ofScope,
  'secrets.sign': ofScope,
  'textIndex.clear': apart,
  'textIndex.put': apart,
  'textIndex.query': apart,
  'textIndex.queryKinds': apart,
  'textIndex.remove': apart,
  'textIndex.similar': apart,
  'textIndex.size': apart,
};

/** Paths of `host.disk` are spelled as in URIs. */
const uriOfPath = (path: unknown): string | undefined =>
  typeof path === 'string' ? `file://${path}` : undefined;
