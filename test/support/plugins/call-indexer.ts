/** Calls an indexer as the server does, with a network of replies that are made up. */
import type {
  FetchInput,
  IndexFile,
  IndexResult,
  PluginDefinition,
} from '../../../plugin-api/index.ts';

/** A question that it asked. */
export interface Asked {
  readonly url: URL;
  readonly body: string;
}

/** The reply: a value = JSON, a number = a status, a text = the body as it is, an error = thrown. */
export type Reply = (asked: Asked) => unknown;

export interface IndexerCall {
  readonly libraryType: string;
  readonly files: readonly IndexFile[];
  /** Those of the library. */
  readonly languages?: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly reply: Reply;
}

/** The answer, and what it asked for it. */
export async function callIndexer(
  plugin: PluginDefinition,
  { libraryType, files, languages, config, reply }: IndexerCall,
): Promise<IndexResult & { readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const fetch = async ({ url, body = '' }: FetchInput): Promise<object> => {
    const question = { url: new URL(url), body };
    asked.push(question);
    const found = reply(question);
    if (found instanceof Error) throw found;
    const status = typeof found === 'number' ? found : found === undefined ? 404 : 200;
    const text = typeof found === 'string' ? found : JSON.stringify(found ?? null);
    return { status, headers: {}, body: text, cache: 'miss' };
  };
  const host = { config: { get: async () => config }, net: { fetch } };
  const call = plugin.methods?.['indexer.index'] as unknown as (
    input: object,
    host: object,
  ) => Promise<IndexResult>;
  const answer = await call(
    { libraryId: 'l', libraryType, stage: 'full', ...(languages && { languages }), files },
    host,
  );
  return { ...answer, asked };
}

/** Calls an indexer with its usual replies and configuration, of which a test may change some. */
export const indexerOf =
  (plugin: PluginDefinition, libraryType: string, usual: Reply, defaults: object) =>
  (
    files: readonly IndexFile[],
    reply: Reply = usual,
    config: object = {},
    languages: readonly string[] = [],
  ) =>
    callIndexer(plugin, {
      libraryType,
      files,
      languages,
      reply,
      config: { ...defaults, ...config },
    });

/** A file of which the name said this. */
export const fileOf = (
  title: string,
  metadata: Readonly<Record<string, unknown>> = {},
  more: Partial<IndexFile> & {
    readonly ids?: Readonly<Record<string, { id: string }>>;
    readonly showIds?: Readonly<Record<string, { id: string }>>;
  } = {},
): IndexFile => {
  const { ids = {}, showIds, ...rest } = more;
  const known = { title, metadata, ids, ...(showIds && { showIds }) };
  return { path: `${title}.mkv`, size: 1, known, ...rest };
};

/** Replies of a service that is ill, and whether the question is asked again. */
export const illReplies: readonly (readonly [string, unknown, 'later' | 'unknown'])[] = [
  ['404', 404, 'unknown'],
  ['429', 429, 'later'],
  ['503', 503, 'later'],
  ['a page', '<!doctype html><title>Sign in</title>', 'later'],
  ['half a reply', '{"results":[{"id":', 'later'],
  ['nothing', Object.assign(new Error('away'), { code: 'net_timeout' }), 'later'],
  ['a list', [[], 7, null], 'unknown'],
  ['a text', '"x"', 'unknown'],
  ['null', 'null', 'unknown'],
];
