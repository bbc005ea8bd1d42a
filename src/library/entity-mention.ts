import { createHash } from 'node:crypto';
import type { BundleEntity } from '../../plugin-api/index.ts';
import { nameKey, splitFeatured, splitYear } from './entity-name.ts';
import { pictureKeys, picturesOf, type Picture } from './entity-pictures.ts';
import type { EntityId, EntityStatus } from './entity-store.ts';
import { sortTitle } from './fold.ts';
import { isMap } from './rows.ts';

/** An entity as an item names it: enough to find it again or to make it, and the role it plays. */
export interface Mention {
  /** Equal keys say the same of the same entity. */
  readonly key: string;
  readonly type: string;
  readonly name: string;
  /** The name as it is compared. */
  readonly nameKey: string;
  readonly sortName: string;
  /** Of a show: what tells it from another of its name. */
  readonly year: number | null;
  readonly ids: readonly EntityId[];
  /** The show of a season, the artist of an album, among the mentions of the same item. */
  readonly parent: Mention | null;
  /** The same where only its name is known; empty when there is none. */
  readonly parentKey: string;
  readonly status: EntityStatus;
  readonly role: string;
  readonly sortOrder: number;
  readonly pictures: readonly Picture[];
  /** What is known of the entity itself. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** What it does in this item, such as a character's name. */
  readonly linkMetadata: Readonly<Record<string, unknown>> | null;
  readonly sourcePluginId: string | null;
}

type Roles = Readonly<Record<string, readonly BundleEntity[]>>;
type Fields = Readonly<Record<string, unknown>>;

const entityTypes = new Set([
  'person',
  'genre',
  'artist',
  'album',
  'show',
  'season',
  'series',
  'studio',
]);

const typeOfRole: Readonly<Record<string, string>> = {
  albumArtist: 'artist',
  featuredArtist: 'artist',
  bookSeries: 'series',
  collection: 'series',
  set: 'series',
};

/** An album is its artist's and a season its series': by name alone there are hundreds of each. */
const parentRoles: Readonly<Record<string, readonly string[]>> = {
  album: ['albumArtist', 'artist'],
  season: ['show', 'series'],
};

/** Keys of an entity's metadata that are about its part in the item, and not about itself. */
const linkKeys = new Set([
  'character',
  'characters',
  'job',
  'department',
  'order',
  'instrument',
  'credit',
  'isGuest',
]);

/** Keys that only say whose or which it is: they make no entity complete. */
const structuralKeys = new Set([
  'year',
  'show',
  'series',
  'season',
  'artist',
  'albumArtist',
  'album',
]);

const mostIds = 20;
const longestId = 200;

/** What an item's `entities` name: those without a parent in front, each once per role and key. */
export function mentionsOf(
  roles: Roles,
  fields: Fields,
  sourcePluginId: string | null,
): readonly Mention[] {
  const named = Object.entries(roles).flatMap(([role, entities]) =>
    entities.flatMap((entity) => credits(role, entity)),
  );
  const mentions = new Map<string, Mention>();
  const add = (mention: Mention): void => {
    const place = `${mention.role}\n${mention.key}`;
    const before = mentions.get(place);
    if (before === undefined) mentions.set(place, mention);
    else mentions.set(place, { ...before, linkMetadata: unite(before, mention) });
  };
  const context = { fields, sourcePluginId, mentions };
  for (const [index, credit] of named.entries())
    if (!Object.hasOwn(parentRoles, credit.type)) add(toMention(credit, index, context));
  for (const [index, credit] of named.entries())
    if (Object.hasOwn(parentRoles, credit.type)) add(toMention(credit, index, context));
  return [...mentions.values()];
}

/** The parts that one entity plays in one item, in one: somebody who plays two characters. */
export function unite(
  a: Pick<Mention, 'linkMetadata'>,
  b: Pick<Mention, 'linkMetadata'>,
): Mention['linkMetadata'] {
  if (a.linkMetadata === null || b.linkMetadata === null) return a.linkMetadata ?? b.linkMetadata;
  const { character: first } = a.linkMetadata;
  const { character: second } = b.linkMetadata;
  const isTwo = typeof first === 'string' && typeof second === 'string' && first !== second;
  const united = { ...b.linkMetadata, ...a.linkMetadata };
  return isTwo ? { ...united, character: `${first} / ${second}` } : united;
}

/** A mention under another name, as one of several that it stood for. */
export function renamed(mention: Mention, name: string): Mention {
  const key = nameKey(mention.type, name);
  const whole = { ...mention, name, nameKey: key, sortName: sortTitle(name) };
  return { ...whole, key: keyOf(whole) };
}

/** A mention of somebody else's: an album of the first of several artists. */
export function withParent(mention: Mention, parent: Mention): Mention {
  const whole = { ...mention, parent };
  return { ...whole, key: keyOf(whole) };
}

interface Credit {
  readonly role: string;
  readonly type: string;
  readonly name: string;
  readonly entity: BundleEntity;
}

/** An entity by its role; an artist who features another is two. Ids name the whole, so they keep it. */
function credits(role: string, entity: BundleEntity): readonly Credit[] {
  const name = entity.name.trim();
  if (name === '') return [];
  const type = entity.type ?? typeOf(role);
  const whole = { role, type, name, entity };
  const isArtist = type === 'artist' && role !== 'featuredArtist';
  const split = isArtist && idsOf(entity).length === 0 ? splitFeatured(name) : null;
  if (split === null) return [whole];
  const featured = { ...whole, role: 'featuredArtist', name: split.featured };
  return [{ ...whole, name: split.lead }, featured];
}

interface MentionContext {
  readonly fields: Fields;
  readonly sourcePluginId: string | null;
  readonly mentions: ReadonlyMap<string, Mention>;
}

function toMention(credit: Credit, sortOrder: number, context: MentionContext): Mention {
  const { role, type, entity } = credit;
  const { own, ofLink } = splitMetadata(entity.metadata);
  const dated = type === 'show' ? splitYear(credit.name) : null;
  const name = dated?.name ?? credit.name;
  const ids = idsOf(entity);
  const mention = {
    type,
    name,
    nameKey: nameKey(type, name),
    sortName: sortTitle(name),
    year: type === 'show' ? (yearOf(own?.['year']) ?? dated?.year ?? null) : null,
    ids,
    ...parentOf(type, entity, context),
    status: isComplete(entity, ids, own) ? ('complete' as const) : ('pending' as const),
    role,
    sortOrder,
    pictures: picturesOf(entity.metadata ?? {}),
    metadata: own,
    linkMetadata: ofLink,
    sourcePluginId: entity.source === '' ? context.sourcePluginId : entity.source,
  };
  return { ...mention, key: keyOf(mention) };
}

function isComplete(
  { status }: BundleEntity,
  ids: readonly EntityId[],
  metadata: Mention['metadata'],
): boolean {
  if (status === 'complete' || ids.length > 0) return true;
  return metadata !== null && Object.keys(metadata).some((key) => !structuralKeys.has(key));
}

function keyOf(mention: Omit<Mention, 'key' | 'linkMetadata' | 'role' | 'sortOrder'>): string {
  const { type, nameKey: name, year, ids, parent, parentKey, status } = mention;
  const { metadata, pictures } = mention;
  const whose = parent === null ? parentKey : `(${parent.key})`;
  const known = ids.map(({ provider, value }) => `${provider}:${value}`).join(' ');
  const key = `${type}\n${whose}\n${name}\n${year ?? ''}\n${known}\n${status}`;
  const told = [...(metadata === null ? [] : [metadata]), ...pictures];
  return told.length === 0 ? key : `${key}\n${printOf(JSON.stringify(told))}`;
}

/** Keys are kept by the ten thousand: what is long stands in them by its hash. */
function printOf(text: string): string {
  return text.length <= 100 ? text : createHash('sha1').update(text).digest('base64');
}

function typeOf(role: string): string {
  if (entityTypes.has(role)) return role;
  return Object.hasOwn(typeOfRole, role) ? (typeOfRole[role] ?? 'person') : 'person';
}

function idsOf({ ids }: BundleEntity): readonly EntityId[] {
  return Object.entries(ids ?? {})
    .flatMap(([provider, value]): EntityId[] => {
      if (value === true) return [];
      const id = value.id.trim();
      const isUsable = id !== '' && id.length <= longestId && provider.length <= longestId;
      return isUsable ? [{ provider: provider.trim().toLowerCase(), value: id }] : [];
    })
    .slice(0, mostIds);
}

function splitMetadata(metadata: BundleEntity['metadata']): {
  readonly own: Mention['metadata'];
  readonly ofLink: Mention['linkMetadata'];
} {
  if (metadata === undefined) return { own: null, ofLink: null };
  const entries = Object.entries(metadata);
  const ofLink = entries.filter(([key]) => linkKeys.has(key));
  const own = entries.filter(([key]) => !linkKeys.has(key) && !pictureKeys.has(key));
  return {
    own: own.length === 0 ? null : Object.fromEntries(own),
    ofLink: ofLink.length === 0 ? null : Object.fromEntries(ofLink),
  };
}

function parentOf(
  type: string,
  entity: BundleEntity,
  { fields, mentions }: MentionContext,
): Pick<Mention, 'parent' | 'parentKey'> {
  const places = Object.hasOwn(parentRoles, type) ? (parentRoles[type] ?? []) : [];
  for (const place of places) {
    const own = isMap(entity.metadata) ? entity.metadata[place] : undefined;
    const parentType = typeOf(place);
    const ofRole = [...mentions.values()].filter(({ role }) => role === place);
    if (typeof own === 'string') {
      const key = nameKey(parentType, own);
      const named = [...mentions.values()].find(
        (one) => one.type === parentType && one.nameKey === key,
      );
      return { parent: named ?? null, parentKey: `~${key}` };
    }
    const [first] = ofRole;
    if (first !== undefined) return { parent: first, parentKey: `~${first.nameKey}` };
    const field = fields[place];
    if (typeof field === 'string')
      return { parent: null, parentKey: `~${nameKey(parentType, field)}` };
  }
  return { parent: null, parentKey: '' };
}

function yearOf(value: unknown): number | null {
  const isYear = typeof value === 'number' && Number.isInteger(value) && value > 1800;
  return isYear && value < 3000 ? value : null;
}
