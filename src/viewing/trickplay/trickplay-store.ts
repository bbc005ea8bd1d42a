/**
 * Trickplay pictures on the disk, by the content of the film, within a limit. What could not be made
 * is kept too, so that it is not tried again for the same content before thirty days are over.
 */
import type { Clock } from '../../platform/clock.ts';
import type { DiskCache } from '../../platform/net/index.ts';
import { unreadableMs } from '../conversion/index.ts';
import { hasSheet, type TrickplaySheets } from './trickplay.ts';
import type { Trickplay } from '../../contract/resources/viewing/playback-sessions.ts';

/** What is known of a film. */
export type KnownTrickplay =
  | { readonly kind: 'made'; readonly shape: Trickplay }
  | { readonly kind: 'failed' };

/** The pictures of films. No method rejects. */
export type TrickplayStore = ReturnType<typeof createTrickplayStore>;

export interface TrickplayStoreParts {
  readonly cache: Pick<DiskCache, 'read' | 'write' | 'remove' | 'size'>;
  readonly maxBytes: number;
  readonly clock: Clock;
}

const version = 1;
const keyOf = (contentKey: string): string => `trickplay ${version} ${contentKey}`;
const sheetKeyOf = (contentKey: string, n: number): string => `${keyOf(contentKey)} sheet ${n}`;
/** Of a film of four hours. */
const roomBytes = 16 * 1024 ** 2;

export function createTrickplayStore(parts: TrickplayStoreParts) {
  const { cache, maxBytes, clock } = parts;

  async function manifestOf(contentKey: string): Promise<Manifest | null> {
    const answer = await cache.read(keyOf(contentKey));
    if (answer === null) return null;
    const manifest = JSON.parse(Buffer.from(answer.body).toString()) as Manifest;
    const isOld = clock.now() - answer.storedAt >= unreadableMs;
    return manifest.shape === null && isOld ? null : manifest;
  }

  const write = (key: string, body: Uint8Array) =>
    cache.write(key, { status: 200, headers: {}, storedAt: clock.now(), body });

  const writeManifest = (contentKey: string, manifest: Manifest) =>
    write(keyOf(contentKey), Buffer.from(JSON.stringify(manifest)));

  return {
    find: async (contentKey: string): Promise<KnownTrickplay | null> => {
      const found = await manifestOf(contentKey);
      if (found === null) return null;
      return found.shape === null ? { kind: 'failed' } : { kind: 'made', shape: found.shape };
    },
    /** A sheet, as JPEG; `null` for none. */
    sheet: async (contentKey: string, n: number): Promise<Uint8Array | null> => {
      const found = await manifestOf(contentKey);
      if (found?.shape == null || !hasSheet(found.shape, n)) return null;
      const sheet = await cache.read(sheetKeyOf(contentKey, n));
      // The pictures of this film made room for others; they are made again.
      if (sheet === null) await cache.remove(keyOf(contentKey));
      return sheet?.body ?? null;
    },
    keep: async (contentKey: string, { sheets, ...shape }: TrickplaySheets): Promise<void> => {
      for (const [n, sheet] of sheets.entries()) await write(sheetKeyOf(contentKey, n), sheet);
      await writeManifest(contentKey, { shape });
    },
    fail: (contentKey: string): Promise<void> => writeManifest(contentKey, { shape: null }),
    /** Whether the pictures of another film have room without removing others. */
    hasRoom: async (): Promise<boolean> => (await cache.size()) + roomBytes <= maxBytes,
  };
}

/** It is written last, and by this file only. */
interface Manifest {
  /** `null` = they could not be made. */
  readonly shape: Trickplay | null;
}
