import { type HostCaller, type HostService, KernelError } from '../../../kernel/index.ts';
import type {
  FileListing,
  ListFilesInput,
  ReadFileInput,
  ReadRangesInput,
} from '../../../plugin-api/index.ts';
import { paceOf, type BackgroundScheduler } from '../../platform/background-scheduler.ts';
import type { FileReads } from './file-reads.ts';
import type { Filesystems, SeesPlace } from './filesystems.ts';
import { isBelow } from './source-uri.ts';

const permission = { name: 'files', level: 'read' } as const;
const uri = { type: 'string', minLength: 1, maxLength: 16_384 } as const;
const place = { type: ['string', 'null'], maxLength: 16_384 };
const digest = { type: 'string', maxLength: 200 };
const maxReadLength = 1_048_576;

function closed(properties: Readonly<Record<string, object>>, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false };
}

const listInput = closed(
  {
    uri,
    recursive: { type: 'boolean' },
    cursor: place,
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
    ignoreFilesFrom: uri,
    known: digest,
    knownThrough: place,
    knownParts: { type: ['string', 'null'], maxLength: 65_536 },
    knownNext: {
      type: 'array',
      items: closed({ digest, through: place }, ['digest', 'through']),
      maxItems: 63,
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

const rangesInput = closed({ ranges: { type: 'array', items: readInput, maxItems: 64 } }, [
  'ranges',
]);

/** The longest answer to `readRanges`, in bytes. */
const maxRangesLength = 4 * 1_048_576;

const usualLimit = 500;

/** Who calls, and for whom. */
export type FilesCaller = Pick<HostCaller, 'reach' | 'viewer'>;

/** How far links may lead. */
export interface LinkBounds {
  /** The roots of all libraries. */
  readonly roots: () => readonly string[];
  /** The roots of the libraries that the caller and its viewer may access, at least in part; `null` = all. */
  readonly rootsOf: (caller: FilesCaller) => readonly string[] | null;
  /**
   * Whether the viewer of a caller sees the file or folder at a URI; `null` = all that is below
   * `rootsOf`.
   */
  readonly seesOf: (caller: FilesCaller) => SeesPlace | null;
}

const unbound: LinkBounds = { roots: () => [], rootsOf: () => null, seesOf: () => null };

/**
 * `host.fs` over the files of the libraries. A page of a whole tree is background work: it waits for
 * its turn, and is shorter while the server answers clients, unless a request waits for it.
 */
export function createFsService(
  filesystems: FileReads & Pick<Filesystems, 'grantedTo'>,
  pace: Pick<BackgroundScheduler, 'batchSize'>,
  { roots, rootsOf, seesOf }: LinkBounds = unbound,
): HostService {
  /**
   * A link in a granted folder leads to what lies below a root of a granted library, and no further; while
   * the plugin works for a person, to what this person sees as well, file by file where they see only a
   * part of the library.
   */
  function filesOf(caller: FilesCaller): FileReads {
    const granted = rootsOf(caller);
    return granted === null ? filesystems : filesystems.grantedTo(granted, seesOf(caller));
  }

  /** The library root above a URI, which is the subject of the call in the plugin's usage. */
  const rootOf = (one: { readonly uri: string }): string | null =>
    roots().find((root) => isBelow(one.uri, root)) ?? null;

  async function list(input: ListFilesInput, caller: HostCaller): Promise<FileListing> {
    const files = filesOf(caller);
    if (input.recursive !== true) return files.list(input);
    const { knownNext, ...asked } = input;
    const wanted = input.limit ?? usualLimit;
    const limit = await paceOf(caller, pace).batchSize(wanted);
    const isWhole = limit === wanted;
    return files.list({ ...asked, limit, ...(isWhole && knownNext && { knownNext }) });
  }

  async function readRanges({ ranges }: ReadRangesInput, caller: HostCaller): Promise<Uint8Array> {
    const total = ranges.reduce((sum, { length }) => sum + length, 0);
    if (total <= maxRangesLength) return filesOf(caller).readRanges(ranges);
    const tooMuch = `The ranges are ${total} bytes together, above ${maxRangesLength}; ask for fewer.`;
    throw new KernelError('invalid_argument', tooMuch);
  }

  return {
    name: 'fs',
    methods: {
      list: {
        permission,
        isElsewhere: true,
        input: listInput,
        subject: rootOf,
        run: list,
      },
      stat: {
        permission,
        isElsewhere: true,
        input: closed({ uri }, ['uri']),
        subject: rootOf,
        run: (input: { readonly uri: string }, caller) => filesOf(caller).stat(input.uri),
      },
      read: {
        permission,
        isElsewhere: true,
        input: readInput,
        raw: true,
        subject: rootOf,
        run: (input: ReadFileInput, caller) => filesOf(caller).read(input),
      },
      readRanges: {
        permission,
        isElsewhere: true,
        input: rangesInput,
        raw: true,
        subject: ({ ranges }: ReadRangesInput) => (ranges[0] ? rootOf(ranges[0]) : null),
        run: readRanges,
      },
    },
  };
}
