import type { BundleAsset, BundleEntity } from '../../../plugin-api/index.ts';
import { known, source, toLine, type Finding } from '../findings/finding.ts';
import { childrenOf, textOf, type XmlElement } from '../xml/xml-element.ts';
import { describedEntity, type Described } from './described.ts';
import { picturesIn } from './nfo-artwork.ts';
import { commonEntities, commonFields } from './nfo-common.ts';
import { isLocked } from './nfo-locks.ts';
import { idsOf } from './nfo-ids.ts';
import { toCount } from './nfo-values.ts';

/** A show, and the document that also describes its seasons and episodes. */
export interface Show extends Described {
  readonly element: XmlElement;
}

/** Reads a `tvshow`. */
export function readShow(element: XmlElement): Show {
  const { title, ...metadata } = commonFields(element);
  const status = toLine(textOf(element, 'status'));
  return {
    element,
    name: typeof title === 'string' ? title : null,
    isComplete: true,
    ids: idsOf(element),
    metadata: { ...metadata, ...known({ [`${source}.status`]: status }), ...lockOf(element) },
    pictures: picturesIn(element, 'poster'),
  };
}

const lockOf = (element: XmlElement): Record<string, unknown> =>
  isLocked(element) ? { [`${source}.locked`]: true } : {};

/** What a show says of its episode: values that all episodes share. */
export function episodeOf({ name, metadata, element }: Show): Finding {
  const { genres, certification } = metadata;
  return {
    fields: known({ series: name, genres, certification }),
    entities: commonEntities(element),
  };
}

/** The name of one of its seasons, in `namedseason`. */
export function seasonNameIn({ element }: Show, season: number): string | undefined {
  const named = childrenOf(element, 'namedseason').find(
    ({ attributes }) => toCount(attributes.get('number')) === season,
  );
  return toLine(named?.text);
}

export function seasonPicturesIn({ element }: Show, season: number): readonly BundleAsset[] {
  return picturesIn(element, 'poster', season);
}

/** A season as its own document describes it. */
export interface Season extends Described {
  readonly number: number | undefined;
}

/** Reads a `season`. */
export function readSeason(element: XmlElement): Season {
  const { title, ...metadata } = commonFields(element);
  return {
    name: typeof title === 'string' ? title : null,
    number: toCount(textOf(element, 'seasonnumber', 'season')),
    isComplete: true,
    ids: idsOf(element),
    metadata: { ...metadata, ...lockOf(element) },
    pictures: picturesIn(element, 'poster'),
  };
}

/** The show of an episode. */
export function showEntity(name: string, described: Described): BundleEntity {
  return describedEntity('show', name, described);
}

/** A season of a show; its name alone would be the same for every show. */
export function seasonEntity(show: string, season: number, described: Described): BundleEntity {
  const usual = season === 0 ? 'Specials' : `Season ${String(season)}`;
  const title = described.name === usual ? undefined : described.name;
  return describedEntity('season', usual, described, { show, season, title });
}
