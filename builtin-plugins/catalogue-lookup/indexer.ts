/** A plugin that identifies files by a catalogue. */
import { definePlugin, type Host, type PluginDefinition } from '../../plugin-api/index.ts';
import { createAsk, type Ask } from './ask.ts';
import { candidatesFor, identifyFiles, type Lookup } from './lookup.ts';
import { numberOf, type Part } from './values.ts';

const day = 86_400;

/** What differs between catalogues. */
export interface IndexerParts {
  /** The types of libraries that it knows something about. */
  readonly libraryTypes: readonly string[];
  /** Opens the catalogue for one call. */
  readonly open: (host: Host, libraryType: string) => Promise<Lookup>;
}

/** Defines the plugin. */
export function defineIndexer({ libraryTypes, open }: IndexerParts): PluginDefinition {
  return definePlugin({
    methods: {
      'indexer.supports': ({ libraryType }) => libraryTypes.includes(libraryType),

      'indexer.index': async ({ libraryType, files }, host) => {
        if (!libraryTypes.includes(libraryType)) return { results: files.map(() => null) };
        return identifyFiles(files, await open(host, libraryType));
      },

      'indexer.search': async ({ libraryType, query, year, metadata, limit }, host) => {
        if (!libraryTypes.includes(libraryType)) return { candidates: [] };
        const question = { title: query, year, metadata };
        const found = await candidatesFor(question, await open(host, libraryType));
        return { candidates: found.slice(0, limit) };
      },
    },
  });
}

/** Asks the service at the address of a field; answers are used again for `keepDays`. */
export function askAt(
  host: Host,
  config: Part,
  { field = 'baseUrl', query }: { readonly field?: string; readonly query?: string } = {},
): Ask {
  return createAsk(host.net, {
    baseUrl: addressIn(config, field),
    maxAge: (numberOf(config['keepDays']) ?? 7) * day,
    ...(query !== undefined && { query }),
  });
}

/** The address in a field, without a slash at its end. */
export const addressIn = (config: Part, field: string): string =>
  String(config[field]).replace(/\/+$/, '');
