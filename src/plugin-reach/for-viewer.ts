/**
 * Every method that a plugin may call, and what the person for whom it works must see or be for that.
 * The compiler sees to it that none is missing.
 */
import {
  isMap,
  listOf,
  ofItsOwn,
  type Fields,
  type HostCallName,
  type OwnPowers,
} from './outward.ts';
import type { Seen } from './seen.ts';

/** Asks whether the viewer sees all that a call names. */
export type ViewerRule = (seen: Seen, input: Fields, own: OwnPowers) => boolean | Promise<boolean>;

/** It leaves out of its answer what is not seen. */
const filtered: ViewerRule = () => true;
/** What admins alone may do. */
const adminsOnly: ViewerRule = ({ isAdmin }) => isAdmin;

const atUri: ViewerRule = ({ uri }, input) => uri(input['uri']);
/** It follows links to wherever the plugin may go: for those who see that too. */
const onDisk: ViewerRule = ({ all }) => all;

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
  ...ofItsOwn,
  'disk.changes': onDisk,
  'disk.digest': onDisk,
  'disk.list': onDisk,
  'disk.read': onDisk,
  'disk.resolve': onDisk,
  'disk.stat': onDisk,
  'disk.unwatch': onDisk,
  // It tells what everybody did.
  'eventLog.follow': adminsOnly,
  'eventLog.read': adminsOnly,
  'eventLog.release': adminsOnly,
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
  'library.changes': filtered,
  'library.get': ({ part }, { libraryId }) => part(libraryId),
  'library.item': ({ item }, { itemId }) => item(itemId),
  'library.pages': adminsOnly,
  'library.reconcile': adminsOnly,
  'net.fetch': withHeaders,
  'secrets.create': ofScope,
  'secrets.list': filtered,
  'secrets.remove': ofScope,
  'secrets.sign': ofScope,
};
