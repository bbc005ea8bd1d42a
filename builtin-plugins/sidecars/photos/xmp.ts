/** XMP, as photo programs write it beside a picture: ISO 16684-1, and the regions of MWG. */
import type { Finding } from '../findings/finding.ts';
import { toDecimal } from '../nfo/nfo-values.ts';
import { childOf, childrenOf, type XmlElement } from '../xml/xml-element.ts';
import { photoFinding, toMoment } from './photo-finding.ts';

const mostValues = 500;

/** What an XMP document says; null when it is none. */
export function readXmp(root: XmlElement): Finding | null {
  const rdf = root.name === 'rdf' ? root : childOf(root, 'rdf');
  if (rdf === undefined) return null;
  const parts = childrenOf(rdf, 'description');
  const values = (name: string): readonly string[] => parts.flatMap((part) => valuesOf(part, name));
  const value = (...names: readonly string[]): string | undefined =>
    names.flatMap(values).find((one) => one !== '');
  const digits = values('tagslist').map((path) => path.split('/').at(-1) ?? '');
  return photoFinding({
    title: value('title', 'headline'),
    description: value('description', 'imagedescription'),
    takenAt: ['datetimeoriginal', 'datecreated', 'datetimedigitized', 'createdate']
      .flatMap(values)
      .map(toMoment)
      .find((moment) => moment !== undefined),
    tags: [...values('subject'), ...digits],
    stars: toDecimal(value('rating')),
    latitude: toDegrees(value('gpslatitude')),
    longitude: toDegrees(value('gpslongitude')),
    place: [
      ...new Set(['location', 'city', 'state', 'country'].flatMap((name) => value(name) ?? [])),
    ],
    people: [...values('personinimage'), ...parts.flatMap(facesIn)],
  });
}

/** A value is an attribute, the text of an element, or the entries of a list in it. */
function valuesOf(part: XmlElement, name: string): readonly string[] {
  const attribute = part.attributes.get(name);
  const found = childrenOf(part, name).flatMap((child) => {
    const entries = entriesOf(child);
    return entries.length > 0 ? entries.map(({ text }) => text) : [child.text];
  });
  return [...(attribute === undefined ? [] : [attribute]), ...found].slice(0, mostValues);
}

/** The entries of an `rdf:Alt`, `rdf:Bag` or `rdf:Seq`. */
const entriesOf = (element: XmlElement): readonly XmlElement[] =>
  childrenOf(element, 'alt', 'bag', 'seq').flatMap((list) => childrenOf(list, 'li'));

/** The names of faces in `mwg-rs:Regions`. */
function facesIn(part: XmlElement): readonly string[] {
  const regions = childrenOf(part, 'regions').flatMap((one) => [
    one,
    ...childrenOf(one, 'description'),
  ]);
  const lists = regions.flatMap((one) => childrenOf(one, 'regionlist'));
  const faces = lists.flatMap(entriesOf).flatMap((one) => [one, ...childrenOf(one, 'description')]);
  return faces.slice(0, mostValues).flatMap((face) => {
    const kind = valuesOf(face, 'type')[0];
    return kind === undefined || kind === 'Face' ? valuesOf(face, 'name') : [];
  });
}

/** `48,12.5N`, `48,12,30N`, or degrees as a number. */
function toDegrees(text: string | undefined): number | undefined {
  const [, degrees, minutes, seconds = '0', side] =
    /^(\d{1,3}),(\d{1,2}(?:\.\d{1,12})?)(?:,(\d{1,2}(?:\.\d{1,12})?))?([NSEW])$/.exec(text ?? '') ??
    [];
  if (degrees === undefined) {
    const plain = /^-?\d{1,3}(?:\.\d{1,12})?$/.test(text ?? '') ? Number(text) : undefined;
    return plain;
  }
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  return side === 'S' || side === 'W' ? -value : value;
}
