import type { Bundle } from '../../../plugin-api/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';
import {
  joinAdditions,
  mergeSources,
  type Additions,
  type MergedMetadata,
  type SourceMetadata,
} from './metadata-merge.ts';
import type { FullIndexing, HowToAsk, IndexedSubject } from './full-indexing.ts';
import type { ItemChains } from './item-chains.ts';
import { bundleOf, type ProbedSubject } from './subject-bundle.ts';

/** The resolved metadata of an item, each source separate. */
export interface ResolvedItem extends IndexedSubject {
  readonly added: Additions;
}

/** Resolves the metadata of probed items, in their order. */
export type ResolveMetadata = (
  library: LibraryRow,
  items: readonly ProbedSubject[],
  how: HowToAsk,
) => Promise<readonly ResolvedItem[]>;

export interface MetadataResolverParts {
  readonly chains: ItemChains;
  readonly indexing: FullIndexing;
  /** The filesystem plugin of a library. */
  readonly filesystemOf: (library: LibraryRow) => string;
}

interface Item {
  readonly probed: ProbedSubject;
  readonly named: MergedMetadata;
  readonly added: Additions;
}

export function createMetadataResolver(parts: MetadataResolverParts): ResolveMetadata {
  const { chains, indexing, filesystemOf } = parts;

  return async (library, items, how) => {
    const source = filesystemOf(library);
    const inputOf = (probed: ProbedSubject, metadata: SourceMetadata) => ({
      itemId: probed.subject.id,
      bundle: bundleOf(probed, metadata, source),
    });

    const starts = await indexing.start(library, items);
    const begun = zip(items, starts, (probed, named) => ({ probed, named }));
    const first = await chains.run('pipeline.probe.afterProcess', begun, ({ probed, named }) =>
      inputOf(probed, named),
    );
    const known = zip(begun, first, (one, added): Item => ({ ...one, added }));
    const indexed = await indexing.index(library, known, how);
    const identified = zip(known, indexed, ({ probed, added }, metadata) => ({
      ...metadata,
      probed,
      added,
    }));
    const second = await chains.run(
      'pipeline.index.afterProcess',
      identified,
      ({ probed, named, added }) => {
        const { itemId, bundle } = inputOf(probed, {
          ...mergeSources(named, added),
          assets: named.assets,
        });
        return { itemId, bundle: withAdditions(bundle, added) };
      },
    );
    return zip(identified, second, ({ probed: _probed, added, ...metadata }, more) => ({
      ...metadata,
      added: joinAdditions(added, more),
    }));
  };
}

/** The lists of a bundle with what earlier hooks appended. */
function withAdditions(bundle: Bundle, added: Additions): Bundle {
  const { media, auxiliary } = bundle.files;
  return {
    ...bundle,
    files: { media, auxiliary: [...auxiliary, ...added.auxiliary] },
    assets: [...bundle.assets, ...added.assets],
    subtitles: [...bundle.subtitles, ...added.subtitles],
    chapters: [
      ...(bundle.chapters ?? []),
      ...added.chapters.map(({ source: _, ...chapter }) => chapter),
    ],
  };
}

/** Joins two lists of the same length. */
function zip<One, Other, Both>(
  list: readonly One[],
  others: readonly Other[],
  join: (one: One, other: Other) => Both,
): readonly Both[] {
  return list.flatMap((one, at) => {
    const other = others[at];
    return other === undefined ? [] : [join(one, other)];
  });
}
