/**
 * Removes the URIs that plugins may not name from their answers, and places of the server from what they
 * fill freely. See `src/files/references`.
 */
import type { LibraryRow } from '../catalogue/index.ts';
import {
  acceptedAssets,
  acceptedAuxiliary,
  acceptedEntities,
  acceptedSubtitles,
  freeEntities,
  type AcceptUri,
  type Claims,
  type ServerPlaces,
  type SubtitleRules,
} from '../../files/references/index.ts';
import type { ProbedSubject } from './subject-bundle.ts';
import type { SourceMetadata } from './metadata-merge.ts';
import type { ResolvedItem } from './metadata-resolver.ts';

/** Leaves out what a plugin may not name; in the order of the items. */
export type FilterReferences = (
  library: LibraryRow,
  items: readonly ProbedSubject[],
  understood: readonly ResolvedItem[],
) => Promise<readonly ResolvedItem[]>;

export function createReferenceFilter(parts: {
  readonly claims: Claims;
  readonly rootsOf: (library: LibraryRow) => readonly string[];
}): FilterReferences {
  const { claims, rootsOf } = parts;
  return async (library, items, understood) => {
    const roots = rootsOf(library);
    const isOfLibrary = (uri: string): boolean => roots.some((root) => uri.startsWith(`${root}/`));
    const judged = claims.accepting(roots);
    const inLibrary = new Set<string>();
    const places = claims.places();
    const rules = { isOfLibrary, refuse: claims.refuse };
    const accept: AcceptUri = (claim) => {
      const uri = judged(claim);
      if (uri !== null && isOfLibrary(uri)) inLibrary.add(uri);
      return uri;
    };
    const named = understood.map((one, at) =>
      accepted(withoutPlaces(one, places), items[at], { ...rules, accept }),
    );
    if (inLibrary.size === 0) return named;
    const there = await claims.acceptingThere(roots, inLibrary);
    return named.map((one, at) => accepted(one, items[at], { ...rules, accept: there }));
  };
}

function withoutPlaces(one: ResolvedItem, { withoutAny }: ServerPlaces): ResolvedItem {
  const { named, added } = one;
  const freed = <Source extends Pick<SourceMetadata, 'fields' | 'entities'>>(source: Source) => ({
    ...source,
    fields: withoutAny(source.fields),
    entities: freeEntities(source.entities, withoutAny),
  });
  const chapters = added.chapters.map(({ metadata, ...chapter }) => ({
    ...chapter,
    ...(metadata !== undefined && { metadata: withoutAny(metadata) }),
  }));
  return { ...one, named: freed(named), added: { ...freed(added), chapters } };
}

function accepted(
  one: ResolvedItem,
  item: ProbedSubject | undefined,
  rules: Omit<SubtitleRules, 'mediaUris'>,
): ResolvedItem {
  const { accept } = rules;
  const { named, added } = one;
  const mediaUris = new Set(item?.subject.files.map(({ uri }) => uri));
  return {
    ...one,
    named: {
      ...named,
      assets: acceptedAssets(named.assets, accept),
      entities: acceptedEntities(named.entities, accept),
    },
    added: {
      ...added,
      assets: acceptedAssets(added.assets, accept),
      entities: acceptedEntities(added.entities, accept),
      subtitles: acceptedSubtitles(added.subtitles, { ...rules, mediaUris }),
      auxiliary: acceptedAuxiliary(added.auxiliary, accept),
    },
  };
}
