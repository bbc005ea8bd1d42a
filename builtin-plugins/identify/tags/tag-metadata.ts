import type { BundleEntity, MediaTags } from '../../../plugin-api/index.ts';
import { compact } from '../kinds/identify-context.ts';
import { pendingEntity } from '../kinds/pending-entity.ts';

/** The metadata keys that tags have in the same form for every kind of work. */
export function commonMetadata(
  tags: MediaTags,
  named: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return compact({
    genres: tags.genres,
    overview: tags.description,
    sortTitle: tags.sortTitle,
    ids: idsOf(tags, named['ids']),
  });
}

function idsOf(tags: MediaTags, named: unknown): unknown {
  if (tags.ids === undefined) return named;
  return { ...tags.ids, ...(typeof named === 'object' ? named : undefined) };
}

/** Adds keys under the plugin's own id to those from a name. */
export function ownMetadata(
  named: Readonly<Record<string, unknown>>,
  keys: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = named['identify'];
  const own = { ...(typeof known === 'object' ? known : undefined), ...compact(keys) };
  return Object.keys(own).length === 0 ? {} : { identify: own };
}

/** Entities of one type and role; the role is left out when there are none. */
export function entitiesFor(
  role: string,
  type: string,
  names: readonly (string | undefined)[] | undefined,
): Readonly<Record<string, readonly BundleEntity[]>> {
  const found = (names ?? []).filter((name) => name !== undefined);
  return found.length === 0 ? {} : { [role]: found.map((name) => pendingEntity(type, name)) };
}
