/** An item with its neighbours, and a host with their texts. For the tests. */
import type {
  Bundle,
  BundleDelta,
  BundleMediaFile,
  Host,
  ReadRangesInput,
} from '../../plugin-api/index.ts';
import { afterProbe } from './after-probe.ts';
import { createScene, type Scene } from './item/scene.ts';

/** What a test says of its item; the rest has defaults. */
export interface FakeItem {
  /** Paths of the media. */
  readonly media: readonly string[];
  /** Paths of the neighbours, with their texts if they are read. */
  readonly beside?: readonly string[] | Readonly<Record<string, string | Uint8Array>>;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly chapters?: Bundle['chapters'];
  /** Seconds of each media file, from the probe. */
  readonly durations?: readonly number[];
  /** Whether the sizes of the neighbours are known. */
  readonly hasSizes?: boolean;
  /** Paths of neighbours that belong to a folder with other items. */
  readonly shared?: readonly string[];
}

/** The URI of a path in these tests: the path itself, so that answers are easy to read. */
export const uriOf = (path: string): string => `file:///${path}`;

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function bundleOf(item: FakeItem): Bundle {
  const {
    media,
    beside = [],
    fields = {},
    chapters,
    durations = [],
    hasSizes = false,
    shared = [],
  } = item;
  const neighbours = Array.isArray(beside) ? beside : Object.keys(beside);
  return {
    files: {
      media: media.map((path, at): BundleMediaFile => {
        const duration = durations[at];
        return {
          uri: uriOf(path),
          path,
          filename: nameOf(path),
          extension: extensionOf(path),
          size: 1,
          type: 'media',
          ...(duration !== undefined && { fileInfo: { duration } }),
        };
      }),
      auxiliary: neighbours.map((path: string) => ({
        uri: uriOf(path),
        path,
        extension: extensionOf(path),
        sourcePlugin: 'scanner',
        ...(shared.includes(path) && { isShared: true }),
        ...(hasSizes && { size: bytesOf(contentOf(item, path)).length }),
      })),
    },
    fields,
    ids: {},
    assets: [],
    subtitles: [],
    entities: {},
    ...(chapters && { chapters }),
  };
}

function contentOf({ beside = [] }: FakeItem, path: string): string | Uint8Array {
  return Array.isArray(beside) ? '' : ((beside as Record<string, string | Uint8Array>)[path] ?? '');
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

export function sceneOf(item: FakeItem): Scene {
  const scene = createScene(bundleOf(item));
  if (scene === null) throw new Error('The item has no scene.');
  return scene;
}

/** The plugin's answer for an item, and the host calls that it made. */
export async function readItem(item: FakeItem): Promise<{
  readonly delta: BundleDelta | null;
  readonly calls: readonly ReadRangesInput[];
}> {
  const { deltas, calls } = await readItems([item]);
  return { delta: deltas[0] ?? null, calls };
}

/** The same for several items of one call. A neighbour that several have is the same for all. */
export async function readItems(items: readonly FakeItem[]): Promise<{
  readonly deltas: readonly (BundleDelta | null)[];
  readonly calls: readonly ReadRangesInput[];
}> {
  const calls: ReadRangesInput[] = [];
  const contentAt = (path: string): string | Uint8Array =>
    items.map((item) => contentOf(item, path)).find(({ length }) => length > 0) ?? '';
  const fs = {
    readRanges: async (input: ReadRangesInput) => {
      calls.push(input);
      return pack(
        input.ranges.map(({ uri, offset, length }) =>
          bytesOf(contentAt(uri.slice(uriOf('').length))).subarray(offset, offset + length),
        ),
      );
    },
  };
  // The plugin makes no other host call.
  const host = { fs } as unknown as Host;
  const deltas = items.map(async (item) =>
    afterProbe({ itemId: 'item', bundle: bundleOf(item) }, host),
  );
  return { deltas: await Promise.all(deltas), calls };
}

export async function deltaOf(item: FakeItem): Promise<BundleDelta | null> {
  return (await readItem(item)).delta;
}

/** An entity as the plugin returns it. */
export function entityOf(
  type: string,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const status = 'ids' in more ? 'complete' : 'pending';
  return { name, type, status, source: 'sidecars', ...more };
}

/** A picture of the network as the plugin returns it. */
export function pictureOf(
  type: string,
  aspect: string,
  uri: string,
): Readonly<Record<string, string>> {
  return { type, uri, source: 'sidecars', aspect };
}

/** The answer of `host.fs.readRanges`. */
export function pack(parts: readonly Uint8Array[]): Uint8Array {
  const packed = new Uint8Array(parts.reduce((sum, { length }) => sum + 4 + length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(packed.buffer).setUint32(at, part.length);
    packed.set(part, at + 4);
    at += 4 + part.length;
  }
  return packed;
}
