/**
 * The rule for each method that a plugin may call: what must be within its scope for the call. The compiler
 * checks that no method is missing. A method without a rule would be denied to every narrowed plugin.
 */
import type { Host } from '../../../plugin-api/index.ts';
import type { ScopeCheck } from './scope-check.ts';

/** `fs.read` */
export type HostCallName = {
  [Service in keyof Host]: `${Service}.${Extract<keyof Host[Service], string>}`;
}[keyof Host];

/** The input of a call. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether all that a call names is within the scope. */
export type OutgoingRule = (within: ScopeCheck, input: Fields, own: OwnPowers) => boolean;

/** What a plugin may do without a library. */
export interface OwnPowers {
  /** Whether the plugin runs jobs of this type itself: they concern a library only if they name it. */
  readonly runs: (type: unknown) => boolean;
}

/** The call accesses nothing of a library. */
const noLibrary = (): boolean => true;
/** The method itself omits what is outside of the scope. */
const filtered: OutgoingRule = () => true;

const atUri: OutgoingRule = ({ uri }, input) => uri(input['uri']);
const atPath: OutgoingRule = ({ uri }, { path }) => uri(uriOfPath(path));
const wholeLibrary: OutgoingRule = ({ whole }, input) => whole(input['libraryId']);
const ofScope: OutgoingRule = ({ part }, { scope }) =>
  !isMap(scope) || !('libraryId' in scope) || part(scope['libraryId']);

/** Methods that access only the plugin's own state, and name no library, item or file. */
export const ofItsOwn = {
  'config.get': noLibrary,
  'config.ofProfile': noLibrary,
  'crypto.digest': noLibrary,
  'crypto.equal': noLibrary,
  'crypto.hmac': noLibrary,
  'crypto.open': noLibrary,
  'crypto.random': noLibrary,
  'crypto.seal': noLibrary,
  'crypto.verify': noLibrary,
  'events.emit': noLibrary,
  'kv.batch': noLibrary,
  'kv.count': noLibrary,
  'kv.get': noLibrary,
  'kv.list': noLibrary,
  'kv.remove': noLibrary,
  'kv.scan': noLibrary,
  'kv.set': noLibrary,
  'kv.trim': noLibrary,
  'notifications.tell': noLibrary,
  // The called plugin touches only what both plugins and the viewer may touch.
  'plugins.call': noLibrary,
  'schedule.clear': noLibrary,
  'schedule.list': noLibrary,
  'schedule.set': noLibrary,
  'textIndex.clear': noLibrary,
  'textIndex.put': noLibrary,
  'textIndex.query': noLibrary,
  'textIndex.queryKinds': noLibrary,
  'textIndex.remove': noLibrary,
  'textIndex.similar': noLibrary,
  'textIndex.size': noLibrary,
} satisfies Partial<Record<HostCallName, OutgoingRule>>;

/** The rule of each method. `item` is checked separately, since it needs a database query. */
export const outgoingRules: Readonly<Record<HostCallName, OutgoingRule | 'item'>> = {
  ...ofItsOwn,
  'disk.changes': atPath,
  'disk.digest': atPath,
  'disk.list': ({ uri }, { paths }) => listOf(paths).map(uriOfPath).every(uri),
  'disk.read': atPath,
  'disk.resolve': atPath,
  'disk.stat': atPath,
  'disk.unwatch': atPath,
  'eventLog.follow': filtered,
  'eventLog.read': filtered,
  'eventLog.release': noLibrary,
  'fs.list': ({ uri }, input) =>
    uri(input['uri']) && (input['ignoreFilesFrom'] === undefined || uri(input['ignoreFilesFrom'])),
  'fs.read': atUri,
  'fs.readRanges': ({ uri }, { ranges }) =>
    listOf(ranges).every((range) => isMap(range) && uri(range['uri'])),
  'fs.stat': atUri,
  // A job that names no library is for all of them, unless it is the plugin's own.
  'jobs.enqueue': ({ whole }, { libraryId, type }, own) =>
    libraryId === undefined ? own.runs(type) : whole(libraryId),
  'library.changes': filtered,
  'library.get': ({ part }, { libraryId }) => part(libraryId),
  'library.item': 'item',
  'library.pages': wholeLibrary,
  'library.reconcile': wholeLibrary,
  'media.counts': filtered,
  'media.get': 'item',
  'media.list': filtered,
  'media.search': filtered,
  'net.fetch': noLibrary,
  'secrets.create': ofScope,
  'secrets.digest': (within, { parts }, own) =>
    listOf(parts).every((part) => !isMap(part) || ofScope(within, part, own)),
  'secrets.list': filtered,
  'secrets.remove': ofScope,
  'secrets.sign': ofScope,
};

/** Paths of `host.disk` are spelled as in URIs. */
const uriOfPath = (path: unknown): string | undefined =>
  typeof path === 'string' ? `file://${path}` : undefined;

/** The elements of a list. Any other value gives one `undefined`, which every rule denies. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [undefined];

export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
