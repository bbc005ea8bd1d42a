import type { Database, Queries } from '../../../kernel/store/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import { inOrder, parseSources, type Indexers } from '../catalogue/commit/index.ts';
import type { Libraries } from '../catalogue/index.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';
import type { LibrarySources } from '../../contract/resources/library/sources.ts';

/** The sources of a library as they are shown. */
export interface ShownSources extends LibrarySources {
  /** What `order` may name now: the running indexers that use the network, best first. */
  readonly sources: readonly { readonly pluginId: string; readonly pluginName: string }[];
}

/** Which sources of metadata win in a library. */
export type Sources = ReturnType<typeof createSources>;

export interface SourcesParts {
  readonly database: Pick<Database, 'read'>;
  readonly libraries: Pick<Libraries, 'get' | 'setSources'>;
  readonly indexers: Pick<Indexers, 'of' | 'isRemote'>;
  readonly nameOf: (pluginId: string) => string;
  readonly mergeAgain: (libraryId: string, viewer: Viewer) => Promise<Job>;
}

export function createSources(parts: SourcesParts) {
  const { database, libraries, indexers, nameOf } = parts;

  async function get(libraryId: string, viewer: Viewer): Promise<ShownSources> {
    const { type } = await libraries.get(libraryId, viewer);
    const stored = await readSources(database.read, libraryId);
    const running = (await indexers.of(type, 'full')).filter((id) => indexers.isRemote(id));
    const sources = inOrder(running.toReversed(), stored.order);
    return {
      ...stored,
      sources: sources.map((pluginId) => ({ pluginId, pluginName: nameOf(pluginId) })),
    };
  }

  return {
    get,
    /** Stores them; the job merges what is kept again, without a request to the network. */
    set: async (
      libraryId: string,
      viewer: Viewer,
      wanted: LibrarySources,
    ): Promise<{ readonly sources: ShownSources; readonly job: Job }> => {
      await libraries.get(libraryId, viewer);
      assertDistinct('order', wanted.order);
      for (const [field, list] of Object.entries(wanted.fields)) {
        if (field.trim() === '') throw refused('fields has a name that is empty.');
        assertDistinct(`fields.${field}`, list);
      }
      assertDistinct('languages', wanted.languages);
      await libraries.setSources(libraryId, wanted, viewer);
      const job = await parts.mergeAgain(libraryId, viewer);
      return { sources: await get(libraryId, viewer), job };
    },
  };
}

/** The sources of a library; the defaults where nothing is stored. */
export async function readSources(db: Queries, libraryId: string): Promise<LibrarySources> {
  const row = await db<{ id: string; sources: string | null }>('libraries')
    .where('id', libraryId)
    .first('sources');
  return parseSources(row?.sources ?? null);
}

function assertDistinct(place: string, list: readonly string[]): void {
  const twice = list.find((one, at) => list.indexOf(one) !== at);
  if (twice !== undefined) throw refused(`${place} names ${twice} twice; name it once.`);
}

const refused = (what: string): AppError => new AppError('invalid_request', { what });
