/**
 * Normalizes references. A URI can be written in many ways - escapes, dots, slashes, the case of
 * its scheme - and the checks compare texts, so every reference is normalized first.
 */
import { isSpelled } from '../filesystems/index.ts';

/** A normalized reference. */
export interface Spelled {
  /** Lower case, without the colon. */
  readonly scheme: string;
  /** Without the index of a picture. */
  readonly uri: string;
  /** The index of a picture in the file that `uri` names; `null` = the file itself. */
  readonly picture: number | null;
}

const longestUri = 16_384;
const anyScheme = /^([a-z][a-z0-9+.-]*):/i;
/** The content of a file has a fragment: `file:///films/One.mp3#artwork=0`. */
const inFile = /^([^#]+)#artwork=(\d{1,4})$/;
/** A URI with a host names another machine, so only an empty host or localhost is accepted. */
const filePath = /^file:\/\/(?:localhost)?(\/[^#]+)$/i;

/** The normalized reference; `null` for a text that is not a URI. */
export function spell(text: string): Spelled | null {
  if (text.length > longestUri) return null;
  const scheme = anyScheme.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return null;
  if (scheme === 'http' || scheme === 'https') return spellAddress(text, scheme);
  const [, file = text, place] = inFile.exec(text) ?? [];
  const uri = scheme === 'file' ? spellFile(file) : file;
  if (uri === null || !isSpelled(uri)) return null;
  return { scheme, uri, picture: place === undefined ? null : Number(place) };
}

/** The reference as it is stored. */
export const textOf = ({ uri, picture }: Spelled): string =>
  picture === null ? uri : `${uri}#artwork=${picture}`;

function spellAddress(text: string, scheme: string): Spelled | null {
  const isWhole = /^https?:\/\/[^/\\\s]/i.test(text) && URL.canParse(text);
  return isWhole ? { scheme, uri: new URL(text).href, picture: null } : null;
}

function spellFile(text: string): string | null {
  if (isSpelled(text)) return text;
  const names = filePath.exec(text)?.[1]?.split('/').map(decoded);
  if (names === undefined) return null;
  const kept: string[] = [];
  for (const name of names) {
    if (name === null || name === '..' || /[/\0]/.test(name) || !name.isWellFormed()) return null;
    if (name !== '' && name !== '.') kept.push(encodeURIComponent(name));
  }
  return `file:///${kept.join('/')}`;
}

/** `null` for a name whose escapes are not UTF-8. */
function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}
