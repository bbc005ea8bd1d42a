import type { BundleEntity } from '../../../plugin-api/index.ts';
import { entity, known, source, toLine, toLines, toText } from '../findings/finding.ts';
import { childrenOf, textOf, textsOf, type XmlElement } from '../xml/xml-element.ts';
import type { Described } from './described.ts';
import { picturesIn } from './nfo-artwork.ts';
import { commonFields, genresOf } from './nfo-common.ts';
import { createIdCollector, idsOf } from './nfo-ids.ts';
import { splitNames } from './nfo-values.ts';

/** An album as a document describes it. */
export interface Album extends Described {
  readonly artists: readonly BundleEntity[];
  readonly genres: readonly string[];
  readonly labels: readonly string[];
}

/** Reads an `artist`. */
export function readArtist(element: XmlElement): Described {
  return {
    name: toLine(textOf(element, 'name', 'title')) ?? null,
    isComplete: true,
    ids: idsOf(element),
    metadata: known({
      overview: toText(textOf(element, 'biography', 'plot', 'overview')),
      sortTitle: toLine(textOf(element, 'sortname', 'sorttitle')),
      genres: genresOf(element),
      ...styleFields(element),
      [`${source}.born`]: toLine(textOf(element, 'born')),
      [`${source}.formed`]: toLine(textOf(element, 'formed')),
      [`${source}.died`]: toLine(textOf(element, 'died')),
      [`${source}.disbanded`]: toLine(textOf(element, 'disbanded')),
    }),
    pictures: picturesIn(element, 'artist'),
  };
}

/** Reads an `album`. */
export function readAlbum(element: XmlElement): Album {
  const { title, ...metadata } = commonFields(element);
  return {
    name: typeof title === 'string' ? title : null,
    isComplete: true,
    ids: idsOf(element),
    metadata: { ...metadata, ...styleFields(element) },
    pictures: picturesIn(element, 'cover'),
    artists: artistsOf(element),
    genres: genresOf(element),
    labels: toLines(splitNames(textsOf(element, 'label', 'studio'))),
  };
}

function styleFields(element: XmlElement): Record<string, unknown> {
  return known({
    [`${source}.styles`]: toLines(splitNames(textsOf(element, 'style'))),
    [`${source}.moods`]: toLines(splitNames(textsOf(element, 'mood'))),
  });
}

/** `<albumartistcredits>` with ids, else `<albumartist>` and `<artist>` by name. */
function artistsOf(element: XmlElement): BundleEntity[] {
  const credited = childrenOf(element, 'albumartistcredits').flatMap((credit) => {
    const name = toLine(textOf(credit, 'artist'));
    if (name === undefined) return [];
    const collector = createIdCollector();
    collector.add('musicbrainzartistid', textOf(credit, 'musicbrainzartistid'));
    return [entity('artist', name, { ids: collector.ids() })];
  });
  if (credited.length > 0) return credited;
  const owners = toLines(textsOf(element, 'albumartist'));
  const names = owners.length > 0 ? owners : toLines(textsOf(element, 'artist'));
  return names.map((name) => entity('artist', name));
}
