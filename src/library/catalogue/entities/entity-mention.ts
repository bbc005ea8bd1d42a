import { createHash } from 'node:crypto';
import type { BundleEntity } from '../../../../plugin-api/index.ts';
import { nameKey, namesOf, splitFeatured, splitYear } from './entity-name.ts';
import { pictureKeys, picturesOf, type Picture } from './entity-pictures.ts';
import type { EntityId, EntityStatus } from '../tables/entity-store.ts';
import type { TextsByLanguage } from '../texts/item-texts.ts';

/** An entity as an item names it: enough to find or make it, and its role in the item. */
export interface Mention {
  /** Mentions with equal keys say the same of the same entity. */
  readonly key: string;
  readonly type: string;
  readonly name: string;
  /** The normalized name, for comparison. */
  readonly nameKey: string;
  readonly sortName: string;
  /** Of a show: the year that distinguishes it from others of its name. */
  readonly year: number | null;
  readonly ids: readonly EntityId[];
  /** The show of a season, or the artist of an album, among the mentions of the same item. */
  readonly parent: Mention | null;
  /** The parent's key if only its name is known; empty when there is none. */
  readonly parentKey: string;
  readonly status: EntityStatus;
  readonly role: string;
  readonly pictures: readonly Picture[];
  /** Metadata of the entity itself. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Its names and summaries by language. */
  readonly texts: TextsByLanguage | null;
  /** Metadata of its part in this item, such as a character's name. */
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

/** An album belongs to its artist and a season to its series: names alone are not unique. */
const parentRoles: Readonly<Record<string, readonly string[]>> = {
  album: ['albumArtist', 'artist'],
  season: ['show', 'series'],
};

/** Metadata keys that describe an entity's part in the item, not the entity. */
const linkKeys = new Set([
  'character',
  'characters',
  'job',
  'department',
  'order',
  'instrument',
  'credit',
  'isGuest',
  'volume',
]);

/** Keys that only identify an entity: they do not make it complete. */
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

/**
 * The mentions in an item's `entities`, without parents in front, each once per role and key. It
 * runs for every item of a scan, so it allocates as little as possible.
 */
export function mentionsOf(
  roles: Roles,
  fields: Fields,
  sourcePluginId: string | null,
): readonly Mention[] {
  const context: MentionContext = { fields, sourcePluginId, mentions: new Map() };
  const parts: Credit[] = [];
  for (const [role, entities] of Object.entries(roles)) {
    for (const entity of entities) {
      const name = entity.name.trim();
      if (name === '') continue;
      const type = entity.type ?? typeOf(role);
      if (Object.hasOwn(parentRoles, type)) parts.push({ role, type, name, entity });
      else addCredit({ role, type, name, entity }, context);
    }
  }
  for (const credit of parts) addMention(credit, context);
  return [...context.mentions.values()];
}

/** Fields from which a mention may take its parent. */
const parentFields = Object.values(parentRoles).flat();

/**
 * `mentionsOf` with a cache. Items of one album or season name the same entities and get the same
 * list, so callers must not change it.
 */
export function createMentionReader(): typeof mentionsOf {
  const read = new Map<string, readonly Mention[]>();
  return (roles, fields, sourcePluginId) => {
    const whose = parentFields.map((name) => fields[name]);
    const place = JSON.stringify([sourcePluginId, roles, whose]);
    const mentions = read.get(place) ?? mentionsOf(roles, fields, sourcePluginId);
    read.set(place, mentions);
    return mentions;
  };
}

/**
 * Splits an artist who features another in two. A credit with ids stays whole, since they name the
 * whole.
 */
function addCredit(credit: Credit, context: MentionContext): void {
  const isArtist = credit.type === 'artist' && credit.role !== 'featuredArtist';
  const split = isArtist && !hasIds(credit.entity) ? splitFeatured(credit.name) : null;
  addMention(split === null ? credit : { ...credit, name: split.lead }, context);
  if (split !== null)
    addMention({ ...credit, role: 'featuredArtist', name: split.featured }, context);
}

function addMention(credit: Credit, context: MentionContext): void {
  const mention = toMention(credit, context);
  const place = `${mention.role}\n${mention.key}`;
  const before = context.mentions.get(place);
  const linkMetadata = before === undefined ? null : unite(before, mention);
  context.mentions.set(place, before === undefined ? mention : { ...before, linkMetadata });
}

/** Joins the parts that one entity plays in one item, such as two characters. */
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

/** The mention under another name, as one of several that it stood for. */
export function renamed(mention: Mention, name: string): Mention {
  const whole = { ...mention, name, ...namesOf(mention.type, name) };
  return { ...whole, key: keyOf(whole) };
}

/** The mention with another parent, such as the first of several artists of an album. */
export function withParent(mention: Mention, parent: Mention): Mention {
  const whole = { ...mention, parent };
  return { ...whole, key: keyOf(whole) };
}

/** The name of the season of a show that has its extras. */
const extrasName = 'Extras';

/**
 * The mentions of an extra. It is not an episode: its show has it in a season of extras, and only there,
 * so that it counts neither as an episode nor in the show.
 */
export function ofExtra(mentions: readonly Mention[]): readonly Mention[] {
  const isOfShow = ({ type }: Mention): boolean => type === 'show' || type === 'season';
  if (!mentions.some(isOfShow)) return mentions;
  const rest = mentions.filter((mention) => !isOfShow(mention));
  const show = mentions.find(({ type }) => type === 'show');
  if (show === undefined) return rest;
  const { sourcePluginId } = show;
  const [season] = mentionsOf(
    { season: [{ name: extrasName, type: 'season', status: 'pending', source: '' }] },
    {},
    sourcePluginId,
  );
  if (season === undefined) return rest;
  return [...rest, withParent({ ...season, parentKey: `~${show.nameKey}` }, show)];
}

interface Credit {
  readonly role: string;
  readonly type: string;
  readonly name: string;
  readonly entity: BundleEntity;
}

interface MentionContext {
  readonly fields: Fields;
  readonly sourcePluginId: string | null;
  readonly mentions: Map<string, Mention>;
}

function toMention(credit: Credit, context: MentionContext): Mention {
  const { role, type, entity } = credit;
  const { own, ofLink, pictures } = splitMetadata(entity.metadata);
  const dated = type === 'show' ? splitYear(credit.name) : null;
  const name = dated?.name ?? credit.name;
  const ids = hasIds(entity) ? idsOf(entity) : none;
  const { parent, parentKey } = parentOf(credit, context);
  const mention = {
    key: '',
    type,
    name,
    ...namesOf(type, name),
    year: type === 'show' ? (yearOf(own?.['year']) ?? dated?.year ?? null) : null,
    ids,
    parent,
    parentKey,
    status: isComplete(entity, ids, own) ? ('complete' as const) : ('pending' as const),
    role,
    pictures,
    metadata: own,
    texts: entity.texts ?? null,
    linkMetadata: ofLink,
    sourcePluginId: entity.source === '' ? context.sourcePluginId : entity.source,
  };
  mention.key = keyOf(mention);
  return mention;
}

/**
 * What its source says; without a status it is pending. An indexer that says nothing, which is the empty
 * text, knows the entity by an id or a fact.
 */
function isComplete(
  { status }: BundleEntity,
  ids: readonly EntityId[],
  metadata: Mention['metadata'],
): boolean {
  if (status !== '') return status === 'complete';
  if (ids.length > 0) return true;
  return metadata !== null && Object.keys(metadata).some((key) => !structuralKeys.has(key));
}

function keyOf(mention: Omit<Mention, 'key' | 'linkMetadata' | 'role'>): string {
  const { type, nameKey: name, year, ids, parent, parentKey, status } = mention;
  const { metadata, pictures, texts } = mention;
  const whose = parent === null ? parentKey : `(${parent.key})`;
  const known =
    ids.length === 0 ? '' : ids.map(({ provider, value }) => `${provider}:${value}`).join(' ');
  const key = `${type}\n${whose}\n${name}\n${year ?? ''}\n${known}\n${status}`;
  if (metadata === null && pictures.length === 0 && texts === null) return key;
  const told = [metadata, ...(pictures.length > 0 ? [pictures] : []), ...(texts ? [texts] : [])]
    .map((one) => JSON.stringify(one))
    .join('');
  return `${key}\n${printOf(told)}`;
}

/** Keys are cached by the thousand, so long texts are replaced by their hash. */
function printOf(text: string): string {
  return text.length <= 100 ? text : createHash('sha1').update(text).digest('base64');
}

function typeOf(role: string): string {
  if (entityTypes.has(role)) return role;
  return Object.hasOwn(typeOfRole, role) ? (typeOfRole[role] ?? 'person') : 'person';
}

const none: readonly EntityId[] = [];

function hasIds({ ids }: BundleEntity): boolean {
  for (const provider in ids) if (ids[provider] !== true) return true;
  return false;
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

interface SplitMetadata extends Pick<Mention, 'pictures'> {
  readonly own: Mention['metadata'];
  readonly ofLink: Mention['linkMetadata'];
}

const nothing: SplitMetadata = { own: null, ofLink: null, pictures: [] };

function splitMetadata(metadata: BundleEntity['metadata']): SplitMetadata {
  if (metadata === undefined) return nothing;
  const keys = Object.keys(metadata);
  if (keys.length === 0) return nothing;
  if (!keys.some((key) => linkKeys.has(key) || pictureKeys.has(key)))
    return { own: metadata, ofLink: null, pictures: [] };
  const entries = Object.entries(metadata);
  const ofLink = entries.filter(([key]) => linkKeys.has(key));
  const own = entries.filter(([key]) => !linkKeys.has(key) && !pictureKeys.has(key));
  return {
    own: own.length === 0 ? null : Object.fromEntries(own),
    ofLink: ofLink.length === 0 ? null : Object.fromEntries(ofLink),
    pictures: picturesOf(metadata),
  };
}

const noParent = { parent: null, parentKey: '' } as const;

function parentOf(
  { type, entity }: Credit,
  { fields, mentions }: MentionContext,
): Pick<Mention, 'parent' | 'parentKey'> {
  const places = Object.hasOwn(parentRoles, type) ? (parentRoles[type] ?? []) : [];
  for (const place of places) {
    const parentType = typeOf(place);
    const own = entity.metadata?.[place];
    if (typeof own === 'string') {
      const key = nameKey(parentType, own);
      const parent = firstOf(mentions, (one) => one.type === parentType && one.nameKey === key);
      return { parent, parentKey: `~${key}` };
    }
    const parent = firstOf(mentions, ({ role }) => role === place);
    if (parent !== null) return { parent, parentKey: `~${parent.nameKey}` };
    const field = fields[place];
    if (typeof field === 'string')
      return { parent: null, parentKey: `~${nameKey(parentType, field)}` };
  }
  return noParent;
}

function firstOf(
  mentions: ReadonlyMap<string, Mention>,
  isMeant: (mention: Mention) => boolean,
): Mention | null {
  for (const mention of mentions.values()) if (isMeant(mention)) return mention;
  return null;
}

function yearOf(value: unknown): number | null {
  const isYear = typeof value === 'number' && Number.isInteger(value) && value > 1800;
  return isYear && value < 3000 ? value : null;
}
