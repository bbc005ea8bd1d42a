import { quote } from '../texts/read-texts.ts';
import { readXml } from '../xml/read-xml.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { idsInAddresses, type Ids } from './nfo-ids.ts';

/** The root elements that are read. */
export type NfoKind =
  | 'movie'
  | 'musicvideo'
  | 'tvshow'
  | 'season'
  | 'episodedetails'
  | 'artist'
  | 'album';

/** The content of an NFO. */
export interface NfoDocument {
  /** Elements of the kinds that are read, in their order. */
  readonly roots: readonly XmlElement[];
  /** The ids in addresses that follow the document, or are all of it. */
  readonly ids: Ids;
}

const kinds: ReadonlySet<string> = new Set<NfoKind>([
  'movie',
  'musicvideo',
  'tvshow',
  'season',
  'episodedetails',
  'artist',
  'album',
]);

/** Reads an NFO in any of its forms: XML, XML and an address, only addresses, or anything else. */
export function readNfo(text: string, path: string): NfoDocument {
  if (!text.includes('<')) return { roots: [], ids: idsInAddresses(text) };
  const reading = readXml(text);
  if (!reading.ok) {
    console.warn(`${quote(path)} is not read: ${reading.reason}.`);
    return { roots: [], ids: {} };
  }
  const { roots, outside } = reading.document;
  const found = rootsIn(roots);
  return { roots: found, ids: idsInAddresses(found.length > 0 ? outside : text) };
}

/** Several episodes are consecutive roots, or inside one element of any name. */
function rootsIn(roots: readonly XmlElement[]): readonly XmlElement[] {
  const direct = roots.filter(({ name }) => kinds.has(name));
  if (direct.length > 0) return direct;
  return roots.flatMap(({ children }) => children.filter(({ name }) => kinds.has(name)));
}

/** The first element of one of these kinds. */
export function rootOf(
  { roots }: NfoDocument,
  ...names: readonly NfoKind[]
): XmlElement | undefined {
  return roots.find(({ name }) => names.some((one) => one === name));
}
