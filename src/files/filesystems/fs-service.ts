import {
  type HostCaller,
  hostService,
  type HostService,
  KernelError,
} from '../../../kernel/index.ts';
import type { FileListing, ListFilesInput, ReadRangesInput } from '../../../plugin-api/index.ts';
import { paceOf, type BackgroundScheduler } from '../../platform/background-scheduler.ts';
import type { FileReads } from './file-reads.ts';
import type { Filesystems, SeesPlace } from './filesystems.ts';
import { isBelow } from './source-uri.ts';

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
): HostService<'fs'> {
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

  return hostService('fs', {
    list: { subject: rootOf, run: list },
    stat: { subject: rootOf, run: ({ uri }, caller) => filesOf(caller).stat(uri) },
    read: { subject: rootOf, run: (input, caller) => filesOf(caller).read(input) },
    readRanges: {
      subject: ({ ranges }) => (ranges[0] ? rootOf(ranges[0]) : null),
      run: readRanges,
    },
  });
}
