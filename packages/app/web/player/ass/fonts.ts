/**
 * Fonts for a script: those that are in the file of the film, and those of the device. Fonts of the
 * file get names of their own, so that none of them changes how the page is written.
 */
import { call } from '../../core/api.ts';
import { pathOf } from '../requests.ts';
import { fontNames } from './font-names.ts';

export interface ScriptFonts {
  /** The family to write for a name of the script. */
  readonly fontOf: (name: string) => string;
  /** Takes them out of the page. */
  readonly close: () => void;
}

const mostFonts = 60;
const mostBytes = 48 * 1024 * 1024;
/** What plain text is written with, the first that the device has. */
const usual = ['Arial', 'Helvetica', 'Roboto', 'Liberation Sans', 'DejaVu Sans', 'Noto Sans'];

/** Names that fonts have; a leading `@` means that text stands upright. */
const keyOf = (name: string): string => name.trim().replace(/^@/, '').toLowerCase();

/** A name that is safe inside of quotes and lists. */
const plainName = (name: string): string =>
  name.replaceAll(/[^\p{L}\p{N} ._+-]/gu, '').slice(0, 100);

/** Whether text in the family differs from text in each of two families that every device has. */
function createIsInstalled(): (family: string) => boolean {
  const context = document.createElement('canvas').getContext('2d');
  const known = new Map<string, boolean>();
  const widthOf = (font: string): number => {
    if (context === null) return 0;
    context.font = `40px ${font}`;
    return context.measureText('Hamburgefonstiv 0123 mmm iii').width;
  };
  const look = (family: string): boolean =>
    ['monospace', 'serif'].some((other) => widthOf(`"${family}", ${other}`) !== widthOf(other));
  return (family) => {
    const found = known.get(family) ?? look(family);
    known.set(family, found);
    return found;
  };
}

/** Loads what the file has of the fonts that a script names. */
export async function loadFonts(
  fileId: string,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ScriptFonts> {
  const isInstalled = createIsInstalled();
  const fallback = usual.find(isInstalled) ?? 'Arial';
  const added: FontFace[] = [];
  const families = new Map<string, string>();
  const keys = new Set([...wanted].map(keyOf));

  async function add(bytes: ArrayBuffer): Promise<void> {
    const names = fontNames(bytes);
    if (names === null) return;
    const style = names.isItalic ? 'italic' : 'normal';
    for (const name of new Set([...names.family, ...names.own])) {
      if (!keys.has(name)) continue;
      const isFamily = names.family.includes(name);
      const family = families.get(name) ?? `film-${families.size}`;
      const weight = String(names.weight);
      const face = new FontFace(family, bytes, isFamily ? { style, weight } : {});
      await face.load();
      document.fonts.add(face);
      families.set(name, family);
      added.push(face);
    }
  }

  const close = (): void => {
    for (const face of added) document.fonts.delete(face);
  };
  try {
    const { fonts } = await call('get', '/api/files/{id}/fonts', { path: { id: fileId } });
    let left = mostBytes;
    for (const { url, size } of fonts.slice(0, mostFonts)) {
      signal.throwIfAborted();
      if (size > left) continue;
      left -= size;
      const reply = await fetch(pathOf(url), { signal });
      // Text in another font is better than none.
      if (reply.ok) await add(await reply.arrayBuffer()).catch(() => {});
    }
  } catch (error) {
    if (signal.aborted) {
      close();
      throw error;
    }
  }
  return {
    fontOf: (name) => {
      const plain = plainName(name.replace(/^@/, ''));
      return families.get(keyOf(name)) ?? (isInstalled(plain) ? plain : fallback);
    },
    close,
  };
}
