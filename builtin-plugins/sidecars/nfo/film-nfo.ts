import { entitiesNamed, known, roles, toLine, toLines, type Finding } from '../findings/finding.ts';
import { textOf, textsOf, type XmlElement } from '../xml/xml-element.ts';
import { picturesIn } from './nfo-artwork.ts';
import { collectionsOf, commonEntities, commonFields } from './nfo-common.ts';
import { isLocked } from './nfo-locks.ts';
import { idsOf } from './nfo-ids.ts';
import { toDuration } from './nfo-values.ts';

/** The contents of a `movie` or `musicvideo`. */
export function readFilm(element: XmlElement): Finding {
  const artists = element.name === 'musicvideo' ? toLines(textsOf(element, 'artist')) : [];
  return {
    fields: {
      ...commonFields(element),
      ...known({
        duration: toDuration(textOf(element, 'runtime')),
        edition: toLine(textOf(element, 'edition')),
        artist: artists[0],
        album: element.name === 'musicvideo' ? toLine(textOf(element, 'album')) : undefined,
      }),
    },
    ids: idsOf(element),
    entities: roles({
      ...commonEntities(element),
      artist: entitiesNamed('artist', artists),
      collection: collectionsOf(element),
    }),
    assets: picturesIn(element, 'poster'),
    isLocked: isLocked(element),
  };
}
