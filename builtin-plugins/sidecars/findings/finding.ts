import type { BundleAsset, BundleDelta, BundleEntity, IdValue } from '../../../plugin-api/index.ts';

/** The source in every part of a delta that names one. */
export const source = 'sidecars';

/** What one file beside the media says of the item. */
export interface Finding extends BundleDelta {
  /** The document is locked: no other source may add to it. */
  readonly isLocked?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** An object without unknown values: undefined, empty texts, empty lists and empty objects. */
export function known(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSomething(value)));
}

function isSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

const longestName = 500;
const longestText = 20_000;

const unevenSpace = /\s\s|[^\S ]/;

/** One line: a title, a name. Undefined when it is empty. */
export function toLine(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const start = text.slice(0, 4 * longestName);
  const even = unevenSpace.test(start) ? start.replace(/\s+/g, ' ') : start;
  const line = even.trim().slice(0, longestName);
  return line === '' ? undefined : line;
}

/** A text of several lines. */
export function toText(text: string | undefined): string | undefined {
  const clean = text?.slice(0, longestText).replace(/\r\n?/g, '\n').trim();
  return clean === '' ? undefined : clean;
}

/** Lines, each once; at most 100. */
export function toLines(texts: readonly string[]): string[] {
  const lines = texts.slice(0, 1000).flatMap((text) => toLine(text) ?? []);
  return [...new Set(lines)].slice(0, 100);
}

/** What a document may say of an entity beside its name. */
export interface EntityDetails {
  readonly status?: 'pending' | 'complete';
  readonly ids?: Readonly<Record<string, IdValue>>;
  readonly metadata?: Fields;
}

/** An entity that a sidecar names. One with an id is known by more than its name. */
export function entity(type: string, name: string, details: EntityDetails = {}): BundleEntity {
  const { ids = {}, metadata = {} } = details;
  const { status = Object.keys(ids).length > 0 ? 'complete' : 'pending' } = details;
  const facts = known(metadata);
  return {
    name,
    type,
    status,
    ...(Object.keys(ids).length > 0 && { ids }),
    ...(Object.keys(facts).length > 0 && { metadata: facts }),
    source,
  };
}

/** Entities that are known only by their names. */
export function entitiesNamed(type: string, names: readonly string[]): BundleEntity[] {
  return names.map((name) => entity(type, name));
}

/** Roles without the empty ones. */
export function roles(
  all: Readonly<Record<string, readonly BundleEntity[]>>,
): Record<string, readonly BundleEntity[]> {
  return Object.fromEntries(Object.entries(all).filter(([, entities]) => entities.length > 0));
}

/** The pictures of an entity: the first of each type, by type. */
export function picturesOf(assets: readonly BundleAsset[]): Record<string, unknown> {
  const byType = new Map<string, unknown>();
  for (const { type, uri, aspect } of assets) {
    if (!byType.has(type)) byType.set(type, aspect === undefined ? { uri } : { uri, aspect });
  }
  return Object.fromEntries(byType);
}
