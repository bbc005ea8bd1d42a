/**
 * Where the content of a text track comes from: a file below the roots of the item's library, a part of
 * the media file, the plugin that serves the scheme, or what is kept of what a plugin gave. An address
 * is fetched with the grant of the plugin that named it when somebody first asks for the track, and
 * the reply is kept with the item.
 */
import { KernelError } from '../../../kernel/index.ts';
import type { Filesystems } from '../../files/filesystems/index.ts';
import type { Files } from '../../library/catalogue/index.ts';
import type { GivenTexts } from '../../library/catalogue/items/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { TextFetch } from '../../platform/net/index.ts';
import type { EmbeddedTexts } from './embedded-text.ts';
import type { TextOrigin } from './text-conversion.ts';

type FileText = Awaited<ReturnType<Files['text']>>;
type TextPlace = FileText['tracks'][number]['place'];
type Part = Pick<FileText, 'file' | 'roots'>;

/** A file as it was found. */
export interface OpenedText {
  readonly uri: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/** Finds the content of tracks. */
export type TextOrigins = ReturnType<typeof createTextOrigins>;

/** What finding it needs. */
export interface TextOriginsParts {
  readonly filesystems: Pick<Filesystems, 'within' | 'servedBy'>;
  readonly embedded: EmbeddedTexts;
  readonly givenTexts: Pick<GivenTexts, 'hashOf' | 'read' | 'keep'>;
  readonly fetchText: TextFetch;
}

/** The most that a plugin gives as one track. */
const mostBytes = 4 * 1024 * 1024;

export function createTextOrigins(parts: TextOriginsParts) {
  const { filesystems, embedded, givenTexts, fetchText } = parts;

  /** Links are resolved before a plugin is called, since it reads with its own grant. */
  async function openedAt(uri: string, roots: readonly string[]): Promise<OpenedText> {
    const opened = await filesystems.within(roots).open(uri);
    const { size, modifiedAt } = opened;
    await opened.close();
    return { uri, size, modifiedAt };
  }

  async function ofFile(uri: string, roots: readonly string[]): Promise<TextOrigin> {
    const { size, modifiedAt } = await openedAt(uri, roots);
    return {
      version: JSON.stringify([uri, size, modifiedAt]),
      load: async () => ({ uri, size, base64: null }),
    };
  }

  /** A stream of the media file, or the lyrics in its tags. */
  async function within({ file, roots }: Part, part: number | 'lyrics'): Promise<TextOrigin> {
    const { uri, size, modifiedAt } = await openedAt(file.uri, roots);
    const { extension } = file;
    return {
      version: JSON.stringify([uri, size, modifiedAt, part]),
      load: () => embedded.text({ uri, size, extension }, part),
    };
  }

  async function ofPlugin(uri: string, pluginId: string): Promise<TextOrigin> {
    const served = filesystems.servedBy(pluginId);
    const { size, modifiedAt, close } = await served.open(uri);
    await close();
    if (size > mostBytes)
      throw new AppError('text_refused', { why: `The text has ${size} bytes; 4 MiB are allowed.` });
    return {
      version: JSON.stringify([pluginId, uri, size, modifiedAt]),
      load: async () => sourceOf(await served.read({ uri, offset: 0, length: size })),
    };
  }

  async function ofKept(itemNo: number, key: string): Promise<TextOrigin | null> {
    const hash = await givenTexts.hashOf(itemNo, key);
    if (hash === undefined) return null;
    const load = async () => sourceOf((await givenTexts.read(itemNo, key)) ?? new Uint8Array());
    return { version: hash, load };
  }

  async function ofWeb(
    itemNo: number,
    { uri: url, pluginId, key }: TextPlace & { readonly kind: 'web' },
  ): Promise<TextOrigin | null> {
    const kept = await ofKept(itemNo, key);
    if (kept !== null) return kept;
    const bytes = await fetchText({ url, pluginId, maxBytes: mostBytes });
    await givenTexts.keep({ itemNo, key, pluginId, bytes });
    return ofKept(itemNo, key);
  }

  async function of({ file, roots }: Part, place: TextPlace): Promise<TextOrigin> {
    switch (place.kind) {
      case 'stream':
        return within({ file, roots }, place.index);
      case 'file':
        return ofFile(place.uri, roots);
      case 'served':
        return ofPlugin(place.uri, place.pluginId);
      case 'web':
        return there(await ofWeb(file.itemNo, place));
      case 'text':
        return there(await ofKept(file.itemNo, place.key));
    }
  }

  return { openedAt, of, beside: ofFile, within };
}

/** The plugin was removed, or its item: what it gave went with it. */
function there(origin: TextOrigin | null): TextOrigin {
  if (origin === null) throw new KernelError('not_found', 'The text');
  return origin;
}

const sourceOf = (bytes: Uint8Array) => ({
  uri: null,
  size: bytes.length,
  base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
});
