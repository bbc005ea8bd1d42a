import type { BundleAsset } from '../../../plugin-api/index.ts';
import { source } from '../findings/finding.ts';
import { childOf, childrenOf, type XmlElement } from '../xml/xml-element.ts';
import { toCount } from './nfo-values.ts';

const kinds: Readonly<Record<string, Pick<BundleAsset, 'type' | 'aspect'>>> = {
  poster: { type: 'poster', aspect: 'portrait' },
  cover: { type: 'cover', aspect: 'square' },
  keyart: { type: 'keyart', aspect: 'portrait' },
  fanart: { type: 'backdrop', aspect: 'landscape' },
  backdrop: { type: 'backdrop', aspect: 'landscape' },
  banner: { type: 'banner', aspect: 'landscape' },
  thumb: { type: 'thumbnail', aspect: 'landscape' },
  landscape: { type: 'thumbnail', aspect: 'landscape' },
  logo: { type: 'logo', aspect: 'landscape' },
  clearlogo: { type: 'logo', aspect: 'landscape' },
  clearart: { type: 'clearart', aspect: 'landscape' },
  discart: { type: 'disc', aspect: 'square' },
  disc: { type: 'disc', aspect: 'square' },
  artist: { type: 'artist', aspect: 'square' },
  characterart: { type: 'character', aspect: 'portrait' },
};

const mostPictures = 50;

/** Pictures by their addresses; `season` selects those of one season in the document of its show. */
export function picturesIn(element: XmlElement, usual: string, season?: number): BundleAsset[] {
  const thumbs = childrenOf(element, 'thumb')
    .filter(({ attributes }) => seasonOf(attributes) === season)
    .map((thumb) => toAsset(kindOf(thumb, usual), addressOf(thumb)));
  const fanart = season === undefined ? childrenOf(element, 'fanart').flatMap(fanartIn) : [];
  const art = season === undefined ? childOf(element, 'art')?.children : undefined;
  const named = art?.map((one) => toAsset(one.name, addressOf(one))) ?? [];
  return [...thumbs, ...fanart, ...named].filter((asset) => asset !== null).slice(0, mostPictures);
}

/** For artists and albums `thumb` is their own picture. */
function kindOf({ attributes }: XmlElement, usual: string): string {
  const aspect = attributes.get('aspect') ?? '';
  const isMain = aspect === '' || (aspect === 'thumb' && usual !== 'poster');
  return isMain ? usual : aspect;
}

function seasonOf(attributes: ReadonlyMap<string, string>): number | undefined {
  const isSeasons = attributes.get('type') === 'season' || attributes.has('season');
  return isSeasons ? (toCount(attributes.get('season')) ?? -1) : undefined;
}

/** `<fanart><thumb>…</thumb></fanart>`, in old files relative to an address in `url`. */
function fanartIn(element: XmlElement): (BundleAsset | null)[] {
  const folder = element.attributes.get('url') ?? '';
  const thumbs = childrenOf(element, 'thumb');
  const places = thumbs.length > 0 ? thumbs.map(addressOf) : [element.text];
  return places.map((place) =>
    toAsset('fanart', /^https?:/i.test(place) ? place : `${folder}${place}`),
  );
}

const addressOf = ({ attributes, text }: XmlElement): string =>
  text === '' ? (attributes.get('url') ?? '') : text;

function toAsset(kind: string, place: string): BundleAsset | null {
  const uri = pictureAddress(place);
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  return uri === undefined || known === undefined
    ? null
    : { type: known.type, uri, source, ...(known.aspect && { aspect: known.aspect }) };
}

/**
 * An address that the server may fetch: only https. Old documents have http addresses of hosts that
 * now use https. Undefined for paths and all other texts.
 */
export function pictureAddress(written: string | undefined): string | undefined {
  const address = written?.trim().replace(/^http:/i, 'https:');
  if (address === undefined || address.length > 2000) return undefined;
  return /^https:\/\/[^\s/"'<>\\@]+\.[^\s"'<>\\]+$/i.test(address) ? address : undefined;
}
