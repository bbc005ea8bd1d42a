import type { HostService } from '../../kernel/index.ts';
import type { ListFilesInput, ReadFileInput } from '../../plugin-api/index.ts';
import type { Filesystems } from './filesystems.ts';

const permission = { name: 'files', level: 'read' } as const;
const uri = { type: 'string', minLength: 1, maxLength: 16_384 } as const;
const maxReadLength = 1_048_576;

function closed(properties: Readonly<Record<string, object>>, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false };
}

const listInput = closed(
  {
    uri,
    recursive: { type: 'boolean' },
    cursor: { type: ['string', 'null'], maxLength: 16_384 },
    limit: { type: 'integer', minimum: 1, maximum: 2000 },
    extensions: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 20 },
      maxItems: 500,
    },
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 100 },
      maxItems: 100,
    },
  },
  ['uri'],
);

const readInput = closed(
  {
    uri,
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER - maxReadLength },
    length: { type: 'integer', minimum: 0, maximum: maxReadLength },
  },
  ['uri', 'offset', 'length'],
);

/** `host.fs` over the files of the libraries. */
export function createFsService(filesystems: Filesystems): HostService {
  return {
    name: 'fs',
    methods: {
      list: {
        permission,
        input: listInput,
        run: (input: ListFilesInput) => filesystems.list(input),
      },
      stat: {
        permission,
        input: closed({ uri }, ['uri']),
        run: (input: { readonly uri: string }) => filesystems.stat(input.uri),
      },
      read: {
        permission,
        input: readInput,
        raw: true,
        run: (input: ReadFileInput) => filesystems.read(input),
      },
    },
  };
}
