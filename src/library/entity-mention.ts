import type { BundleEntity } from '../../plugin-api/index.ts';
import type { EntityStatus } from './entity-store.ts';
import { fold, withoutArticle } from './fold.ts';
import { isMap } from './rows.ts';

/** An entity as an item names it: enough to find it again or to make it, and the role it plays. */
export interface Mention {
  /** Equal keys are the same entity. */
  readonly key: string;
  readonly type: string;
  readonly name: string;
  readonly sortName: string;
  readonly status: EntityStatus;
  readonly role: string;
  readonly sortOrder: number;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly sourcePluginId: string | null;
}

type Roles = Readonly<Record<string, readonly BundleEntity[]>>;

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
  bookSeries: 'series',
};

/** An album is its artist's and a season its series': by name alone there are hundreds of each. */
const parentRoles: Readonly<Record<string, readonly string[]>> = {
  album: ['albumArtist', 'artist'],
  season: ['series', 'show'],
};

/** What an item's `entities` name, each entity once per role. */
export function mentionsOf(
  roles: Roles,
  fields: Readonly<Record<string, unknown>>,
  sourcePluginId: string | null,
): readonly Mention[] {
  const mentions = new Map<string, Mention>();
  for (const [role, entities] of Object.entries(roles)) {
    for (const entity of entities) {
      const name = entity.name.trim();
      if (name === '') continue;
      const type = entity.type ?? typeOf(role);
      const folded = fold(name);
      const key = `${type}\n${fold(parentOf(type, entity, roles, fields))}\n${folded}`;
      const place = `${role}\n${key}`;
      if (mentions.has(place)) continue;
      mentions.set(place, {
        key,
        type,
        name,
        sortName: withoutArticle(folded),
        status: entity.status === 'complete' ? 'complete' : 'pending',
        role,
        sortOrder: mentions.size,
        metadata: entity.metadata ?? null,
        sourcePluginId: entity.source === '' ? sourcePluginId : entity.source,
      });
    }
  }
  return [...mentions.values()];
}

function typeOf(role: string): string {
  return entityTypes.has(role) ? role : (typeOfRole[role] ?? 'person');
}

function parentOf(
  type: string,
  entity: BundleEntity,
  roles: Roles,
  fields: Readonly<Record<string, unknown>>,
): string {
  const places = Object.hasOwn(parentRoles, type) ? parentRoles[type] : undefined;
  if (places === undefined) return '';
  for (const place of places) {
    const own = isMap(entity.metadata) ? entity.metadata[place] : undefined;
    const named = own ?? roles[place]?.[0]?.name ?? fields[place];
    if (typeof named === 'string') return named;
  }
  return '';
}
