/**
 * The lock of an entity. A plugin that describes an entity, as the NFO of a show does, can exclude
 * what all other plugins say, for all fields or for some. The lock is stored in the entity's
 * metadata under the plugin's name, as `<plugin>.locked` or `<plugin>.lockedFields`, until a
 * description of the same plugin comes without it. A person's edits override every lock.
 */
import type { Mention } from './entity-mention.ts';
import { isMap, parseMap } from '../tables/rows.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A lock and the plugin that set it. */
export interface EntityLock {
  readonly pluginId: string;
  /** `fields.overview`, `fields.title` for the name, `assets`; `null` = everything. */
  readonly paths: ReadonlySet<string> | null;
}

/** The locks that apply to a mention of an entity. */
export interface EntityLocks {
  /** The lock of another plugin: what it covers is not taken from the mention. */
  readonly foreign: EntityLock | null;
  /** The lock of the mention itself: what it covers replaces what is known. */
  readonly own: EntityLock | null;
  /** The entity's earlier lock was removed or changed. */
  readonly isReleased: boolean;
}

const whole = '.locked';
const some = '.lockedFields';

/** Whether a key of metadata belongs to a lock. */
export const isLockKey = (key: string): boolean => key.endsWith(whole) || key.endsWith(some);

/** Reads the locks of an entity, from its metadata in JSON, and of a mention. */
export function locksOf(metadata: string | null, mention: Mention): EntityLocks {
  const { sourcePluginId, status } = mention;
  const standing = metadata?.includes(whole) === true ? lockIn(parseMap(metadata)) : null;
  const own = mention.metadata === null ? null : lockIn(mention.metadata, sourcePluginId);
  if (standing !== null && standing.pluginId !== sourcePluginId)
    return { foreign: standing, own: null, isReleased: false };
  const isReleased = standing !== null && (own !== null || status === 'complete');
  return { foreign: null, own, isReleased };
}

/** Whether the lock covers a key of metadata, `title` for the name, or `assets`. */
export function covers(lock: EntityLock | null, key: string): boolean {
  if (lock === null) return false;
  return lock.paths === null || lock.paths.has(key === 'assets' ? key : `fields.${key}`);
}

/** Equal locks give equal text. */
export function lockText(metadata: string | null): string {
  const lock = metadata?.includes(whole) === true ? lockIn(parseMap(metadata)) : null;
  return lock === null ? '' : JSON.stringify([lock.pluginId, lock.paths && [...lock.paths]]);
}

/** The metadata of the mention, with its own lock and without locks of others. */
export function ownMetadata({ metadata, sourcePluginId }: Mention): Fields | null {
  if (metadata === null || !Object.keys(metadata).some(isLockKey)) return metadata;
  const own = [whole, some].map((end) => `${sourcePluginId ?? ''}${end}`);
  return Object.fromEntries(
    Object.entries(metadata).filter(([key]) => !isLockKey(key) || own.includes(key)),
  );
}

function lockIn(metadata: Fields, ...by: readonly (string | null)[]): EntityLock | null {
  const keys = Object.keys(metadata);
  const pluginOf = (end: string, isLock: (value: unknown) => boolean): string | undefined =>
    keys
      .filter((key) => key.endsWith(end) && isLock(metadata[key]))
      .map((key) => key.slice(0, -end.length))
      .find((pluginId) => by.length === 0 || by.includes(pluginId));
  const wholly = pluginOf(whole, (value) => value === true);
  if (wholly !== undefined) return { pluginId: wholly, paths: null };
  const partly = pluginOf(some, Array.isArray);
  if (partly === undefined) return null;
  const paths = metadata[`${partly}${some}`];
  const texts = Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  return { pluginId: partly, paths: new Set(texts) };
}

/** Whether a person edited this key of the metadata. */
export function isEdited(edits: string | null, key: string): boolean {
  const { metadata } = parseMap(edits);
  return isMap(metadata) && Object.hasOwn(metadata, key);
}
