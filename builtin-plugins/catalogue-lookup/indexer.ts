/** A plugin that identifies files by a catalogue. */
import { definePlugin, type Host, type PluginDefinition } from '../../plugin-api/index.ts';
import { createAsk, type Ask, type AskParts } from './ask.ts';
import { tagsOf, wantedLanguages } from './languages.ts';
import { candidatesFor, identifyFiles, type Lookup } from './lookup.ts';
import { numberOf, textsOf, type Part } from './values.ts';

const day = 86_400;

/** What differs between catalogues. */
export interface IndexerParts {
  /** The types of libraries that it knows something about. */
  readonly libraryTypes: readonly string[];
  /** The language after those of the library and of the form; English, unless it is set. */
  readonly lastLanguage?: string | null;
  /** Opens the catalogue for one call. */
  readonly open: (host: Host, call: LookupCall) => Lookup;
}

/** What a catalogue is opened for. */
export interface LookupCall {
  readonly libraryType: string;
  /** The configuration of the plugin. */
  readonly config: Part;
  /** BCP 47 tags, best first: titles and summaries are in the first that the catalogue has. */
  readonly languages: readonly string[];
  /** Those of the library alone: `texts` of an answer are in these. */
  readonly textLanguages: readonly string[];
}

/** Defines the plugin. */
export function defineIndexer(parts: IndexerParts): PluginDefinition {
  const { libraryTypes, lastLanguage: last = 'en' } = parts;

  async function open(
    host: Host,
    libraryType: string,
    library: readonly string[] | undefined,
  ): Promise<Lookup> {
    const config = await host.config.get({});
    const languages = wantedLanguages({ library, config, last });
    const textLanguages = tagsOf(library);
    return parts.open(host, { libraryType, config, languages, textLanguages });
  }

  return definePlugin({
    methods: {
      'indexer.supports': ({ libraryType }) => libraryTypes.includes(libraryType),

      'indexer.index': async ({ libraryType, languages, files }, host) => {
        if (!libraryTypes.includes(libraryType)) return { results: files.map(() => null) };
        return identifyFiles(files, await open(host, libraryType, languages));
      },

      'indexer.search': async (input, host) => {
        const { libraryType, languages, query, year, metadata, limit } = input;
        if (!libraryTypes.includes(libraryType)) return { candidates: [] };
        const { albumArtist, artist, author } = metadata ?? {};
        const [person] = textsOf([albumArtist, artist, author]);
        const people = person === undefined ? undefined : [person];
        const question = { title: query, year, people, metadata };
        const found = await candidatesFor(question, await open(host, libraryType, languages));
        return { candidates: found.slice(0, limit) };
      },
    },
  });
}

/** Asks the service at the address of a field; answers are used again for `keepDays`. */
export function askAt(
  host: Host,
  config: Part,
  {
    field = 'baseUrl',
    ...more
  }: { readonly field?: string } & Pick<AskParts, 'query' | 'patience'> = {},
): Ask {
  return createAsk(host.net, {
    baseUrl: addressIn(config, field),
    maxAge: (numberOf(config['keepDays']) ?? 7) * day,
    ...more,
  });
}

/** The address in a field, without a slash at its end. */
export const addressIn = (config: Part, field: string): string =>
  String(config[field]).replace(/\/+$/, '');
