/**
 * Every method that a plugin may call, and the visibility or role that its viewer needs for the call.
 * The compiler checks that no method is missing.
 */
import {
  isMap,
  listOf,
  ofItsOwn,
  type Fields,
  type HostCallName,
  type OwnPowers,
} from './outgoing-rules.ts';
import type { ViewerCheck } from './viewer-check.ts';

/** Whether the viewer sees all that a call names. */
export type ViewerRule = (
  seen: ViewerCheck,
  input: Fields,
  own: OwnPowers,
) => boolean | Promise<boolean>;

/** The method itself omits what the viewer does not see. */
const filtered: ViewerRule = () => true;
/** Only for admins. */
const adminsOnly: ViewerRule = ({ isAdmin }) => isAdmin;

const atUri: ViewerRule = ({ uri }, input) => uri(input['uri']);
/** It follows links anywhere within the plugin's scope: only for viewers who see everything. */
const onDisk: ViewerRule = ({ all }) => all;

/** Checks values in order, and stops at the first that the viewer does not see. */
async function every(
  values: readonly unknown[],
  sees: (value: unknown) => Promise<boolean>,
): Promise<boolean> {
  for (const value of values) if (!(await sees(value))) return false;
  return true;
}

/** Whether a secret belongs to a library that the viewer sees, to the viewer, or to the plugin itself. */
function ownsScope(seen: ViewerCheck, scope: unknown): boolean {
  if (!isMap(scope)) return true;
  return 'libraryId' in scope ? seen.part(scope['libraryId']) : seen.isSelf(scope);
}

const ofScope: ViewerRule = (seen, { scope }) => ownsScope(seen, scope);

/** Secrets named in headers and forms follow the same rule as those of `host.secrets`. */
const withHeaders: ViewerRule = (seen, { headers, formSecrets }) =>
  [headers, formSecrets]
    .flatMap(valuesIn)
    .every((value) =>
      [...String(value).matchAll(/\{secret:[^{};]*;(library|user|profile)=([^{}]*)\}/g)].every(
        ([, kind, id]) => ownsScope(seen, scopeNamed(kind, id)),
      ),
    );

const valuesIn = (map: unknown): readonly unknown[] => (isMap(map) ? Object.values(map) : []);

/** Each secret among the parts of a digest. */
const ofEachPart: ViewerRule = (seen, { parts }) =>
  listOf(parts).every((part) => !isMap(part) || ownsScope(seen, part['scope']));

const scopeNamed = (kind: string | undefined, id: string | undefined): Fields => {
  if (kind === 'library') return { libraryId: id };
  return kind === 'user' ? { userId: id } : { profile: id };
};

/** The rule of each method. */
export const viewerRules: Readonly<Record<HostCallName, ViewerRule>> = {
  ...ofItsOwn,
  'disk.changes': onDisk,
  'disk.digest': onDisk,
  'disk.list': onDisk,
  'disk.read': onDisk,
  'disk.resolve': onDisk,
  'disk.stat': onDisk,
  'disk.unwatch': onDisk,
  // It reveals the actions of all users.
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
  // Jobs of the plugin itself are allowed; jobs of the server are for admins, as over HTTP.
  'jobs.enqueue': ({ isAdmin, part }, { libraryId, type }, own) =>
    isAdmin || (own.runs(type) && (libraryId === undefined || part(libraryId))),
  'library.changes': filtered,
  'library.get': ({ part }, { libraryId }) => part(libraryId),
  'library.item': ({ item }, { itemId }) => item(itemId),
  'library.pages': adminsOnly,
  'library.reconcile': adminsOnly,
  'media.counts': filtered,
  'media.get': ({ item }, { itemId }) => item(itemId),
  'media.list': filtered,
  'media.search': filtered,
  'net.fetch': withHeaders,
  'secrets.create': ofScope,
  'secrets.digest': ofEachPart,
  'secrets.list': filtered,
  'secrets.remove': ofScope,
  'secrets.sign': ofScope,
};
