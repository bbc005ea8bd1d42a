/** Finds the parts of a Matroska file: those before the media in order, and those that its index names. */
import type { ByteSource } from '../bytes/byte-source.ts';
import { malformed, truncated } from '../bytes/probe-error.ts';
import { readElement, readWhole, type Element, type ElementPlace } from './elements.ts';
import { ids } from './ids.ts';

const mostParts = 500;
const mostSeeks = 100;

/** A file with the places of its parts. */
export interface OpenMatroska {
  readonly docType: string;
  readonly segment: ElementPlace;
  readonly places: ReadonlyMap<number, ElementPlace>;
}

/** Finds the parts of a file: those before the first cluster, and the wanted ones after it. */
export async function openMatroska(
  source: ByteSource,
  wanted: readonly number[],
): Promise<OpenMatroska> {
  const head = await readElement(source, 0);
  if (head?.id !== ids.ebml)
    throw malformed('The file begins as Matroska does and is not Matroska.');
  const docType = (await readWhole(source, head)).text(ids.docType) ?? 'matroska';
  const segment = await readElement(source, head.end);
  if (segment?.id !== ids.segment) throw truncated('The file has no segment; it was cut off.');
  return { docType, segment, places: await findParts(source, segment, wanted) };
}

/** The first part for each id. */
async function findParts(
  source: ByteSource,
  segment: ElementPlace,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, ElementPlace>> {
  const places = new Map<number, ElementPlace>();
  const announced: Element[] = [];
  const end = Math.min(segment.end, source.size);
  let at = segment.from;
  for (let count = 0; at < end && count < mostParts; count++) {
    const place = await readElement(source, at);
    if (place === undefined) break;
    if (!places.has(place.id)) places.set(place.id, place);
    if (place.id === ids.cluster) break;
    if (place.end > end) throw truncated('The file ends inside of its headers.');
    if (place.id === ids.seekHead) announced.push(await readWhole(source, place));
    at = place.end;
  }
  await followAnnounced(source, { segment, heads: announced, wanted }, places);
  return places;
}

/**
 * A place with another content is skipped. An index may lead to one further index, since the first
 * one has room for a single entry in some files.
 */
async function followAnnounced(
  source: ByteSource,
  {
    segment,
    heads,
    wanted,
  }: {
    readonly segment: ElementPlace;
    readonly heads: readonly Element[];
    readonly wanted: readonly number[];
  },
  places: Map<number, ElementPlace>,
): Promise<void> {
  const waiting = seeksIn(heads, segment);
  let hasFurther = false;
  for (const { id, at } of waiting) {
    if (id === ids.seekHead && !hasFurther) {
      const further = await readPart(source, id, at);
      hasFurther = further !== undefined;
      if (further !== undefined) waiting.push(...seeksIn([further], segment));
    } else if (wanted.includes(id) && !places.has(id)) {
      const place = await readElement(source, at);
      if (place?.id === id && place.end <= source.size) places.set(id, place);
    }
  }
}

function seeksIn(
  heads: readonly Element[],
  segment: ElementPlace,
): { readonly id: number; readonly at: number }[] {
  const seeks = heads.flatMap((head) => head.all(ids.seek)).slice(0, mostSeeks);
  return seeks.map((seek) => ({
    id: seek.uint(ids.seekId) ?? 0,
    at: segment.from + (seek.uint(ids.seekPosition) ?? 0),
  }));
}

async function readPart(source: ByteSource, id: number, at: number): Promise<Element | undefined> {
  const place = await readElement(source, at);
  return place?.id === id && place.end <= source.size ? readWhole(source, place) : undefined;
}
