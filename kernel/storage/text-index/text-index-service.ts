import type { TextIndexService } from '../../../plugin-api/index.ts';
import type { HostMethod, HostService } from '../../host-service.ts';
import type { TextIndexStore } from './text-index-store.ts';

type Input<M extends keyof TextIndexService> = Parameters<TextIndexService[M]>[0];

const permission = { name: 'textIndex' } as const;
/** Text that is compared exactly; a NUL character is not allowed. */
const name = { type: 'string', minLength: 1, maxLength: 512, pattern: '^[^\\u0000]*$' };
const word = { type: 'string', maxLength: 200 };
/** Room for 500 long documents; more would take too long to read at once. */
const longestPut = 4 * 1024 * 1024;
const wantedHits = { type: 'integer', minimum: 1, maximum: 500 };

const document = closed(
  {
    id: name,
    scope: name,
    kind: name,
    title: { type: 'string', maxLength: 2000 },
    body: { type: 'string', maxLength: 100_000 },
  },
  ['id', 'scope', 'kind', 'title', 'body'],
);

const term = closed(
  {
    text: word,
    prefix: { type: 'boolean' },
    alternatives: { type: 'array', items: word, maxItems: 16 },
  },
  ['text'],
);

/** `host.textIndex`: each plugin has its own index. */
export function createTextIndexService(textIndex: TextIndexStore): HostService {
  const put: HostMethod = {
    permission,
    maxLength: longestPut,
    input: closed({ documents: { type: 'array', items: document, maxItems: 500 } }, ['documents']),
    fillsTextIndex: true,
    run: async (input: Input<'put'>, { pluginId }) => {
      await textIndex.put(pluginId, input.documents);
      return null;
    },
  };

  const remove: HostMethod = {
    permission,
    input: closed({ ids: { type: 'array', items: name, maxItems: 500 } }, ['ids']),
    run: async (input: Input<'remove'>, { pluginId }) => {
      await textIndex.remove(pluginId, input.ids);
      return null;
    },
  };

  const clear: HostMethod = {
    permission,
    input: closed({}),
    run: async (_input: Input<'clear'>, { pluginId }) => {
      await textIndex.clear(pluginId);
      return null;
    },
  };

  const size: HostMethod = {
    permission,
    input: closed({}),
    run: async (_input: Input<'size'>, { pluginId }) => ({
      documents: await textIndex.size(pluginId),
    }),
  };

  const query: HostMethod = {
    permission,
    input: closed(
      {
        terms: { type: 'array', items: term, maxItems: 16 },
        kind: name,
        scopes: { type: ['array', 'null'], items: name, maxItems: 4096 },
        limit: wantedHits,
      },
      ['terms', 'limit'],
    ),
    run: async (input: Input<'query'>, { pluginId }) => textIndex.query(pluginId, input),
  };

  const queryKinds: HostMethod = {
    permission,
    input: closed(
      {
        terms: { type: 'array', items: term, maxItems: 16 },
        scopes: { type: ['array', 'null'], items: name, maxItems: 4096 },
        kinds: {
          type: 'array',
          minItems: 1,
          maxItems: 16,
          items: closed({ kind: name, limit: wantedHits }, ['kind', 'limit']),
        },
      },
      ['terms', 'kinds'],
    ),
    run: async (input: Input<'queryKinds'>, { pluginId }) => ({
      kinds: await textIndex.queryKinds(pluginId, input),
    }),
  };

  const similar: HostMethod = {
    permission,
    input: closed({ text: word, limit: { type: 'integer', minimum: 1, maximum: 100 } }, [
      'text',
      'limit',
    ]),
    run: async (input: Input<'similar'>, { pluginId }) => ({
      words: await textIndex.similar(pluginId, input),
    }),
  };

  return { name: 'textIndex', methods: { put, remove, clear, size, query, queryKinds, similar } };
}

function closed(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}
