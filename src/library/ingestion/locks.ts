/**
 * What hooks locked against network indexers, by fields under their own names: `<plugin>.locked`
 * for all of an item, `<plugin>.lockedFields` for some of it. A locked field keeps the value that
 * it has without the network, also if that is empty.
 */
import { pathText } from '../../../kernel/index.ts';
import type { Identification } from '../../../plugin-api/index.ts';
import { withoutTexts } from '../catalogue/commit/index.ts';
import type { Additions, MergedMetadata } from './metadata-merge.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Further paths are ignored. */
const mostPaths = 200;

/** Whether a hook locked the whole item against the network. */
export const isLocked = ({ fields, writers }: Additions): boolean =>
  writers.some(({ pluginId, path }) => {
    const key = `${pluginId}.locked`;
    return path === pathText(['fields', key]) && fields[key] === true;
  });

/**
 * The locked paths of the item, in the form of its provenance: `fields.overview`, `entities.actor`.
 */
export function lockedPaths({ fields, writers }: Additions): ReadonlySet<string> {
  const paths = writers.flatMap(({ pluginId, path }): readonly unknown[] => {
    const key = `${pluginId}.lockedFields`;
    const given = fields[key];
    return path === pathText(['fields', key]) && Array.isArray(given) ? given : [];
  });
  return new Set(paths.slice(0, mostPaths).filter((path) => typeof path === 'string'));
}

/** The answer with the known values in place of locked ones. */
export function withoutLocked(
  answer: Identification,
  named: MergedMetadata,
  locked: ReadonlySet<string>,
): Identification {
  if (locked.size === 0) return answer;
  const { ids, ...fields } = answer.metadata;
  const { entities, assets, texts } = answer;
  return {
    ...answer,
    title: locked.has('fields.title') ? named.title : answer.title,
    metadata: {
      ...keepLocked('fields', fields, named.fields, locked),
      ids: keepLocked('ids', isMap(ids) ? ids : {}, named.ids, locked),
    },
    ...(texts && {
      texts: withoutTexts(texts, {
        title: locked.has('fields.title'),
        overview: locked.has('fields.overview'),
      }),
    }),
    ...(entities && { entities: keepLocked('entities', entities, named.entities, locked) }),
    ...(assets && {
      assets: assets.filter(({ type }) => !locked.has('assets') && !locked.has(`assets.${type}`)),
    }),
  };
}

/** The answer's value for each key, but the known value for locked keys. */
function keepLocked<Value>(
  collection: string,
  given: Readonly<Record<string, Value>>,
  known: Readonly<Record<string, Value>>,
  locked: ReadonlySet<string>,
): Readonly<Record<string, Value>> {
  const isLocked = ([key]: readonly [string, Value]): boolean =>
    locked.has(pathText([collection, key]));
  return Object.fromEntries([
    ...Object.entries(given).filter((entry) => !isLocked(entry)),
    ...Object.entries(known).filter(isLocked),
  ]);
}

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
