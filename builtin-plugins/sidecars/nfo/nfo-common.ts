import type { BundleEntity } from '../../../plugin-api/index.ts';
import {
  entitiesNamed,
  entity,
  known,
  roles,
  source,
  toLine,
  toLines,
  toText,
} from '../findings/finding.ts';
import { childOf, childrenOf, textOf, textsOf, type XmlElement } from '../xml/xml-element.ts';
import { createIdCollector } from './nfo-ids.ts';
import { lockedPaths } from './nfo-locks.ts';
import { peopleOf } from './nfo-people.ts';
import { ratingOf } from './nfo-ratings.ts';
import { splitNames, toCertification, toDate, toYear } from './nfo-values.ts';

/** What films, shows and episodes have in common. */
export function commonFields(element: XmlElement): Record<string, unknown> {
  const aired = textOf(element, 'aired', 'premiered', 'releasedate', 'firstaired', 'release');
  return known({
    title: toLine(textOf(element, 'title', 'localtitle', 'name')),
    originalTitle: toLine(textOf(element, 'originaltitle')),
    sortTitle: toLine(textOf(element, 'sorttitle', 'sortname')),
    year: toYear(textOf(element, 'year')) ?? toYear(aired),
    airDate: toDate(aired),
    overview: toText(textOf(element, 'plot', 'outline', 'review', 'biography')),
    tagline: toLine(textOf(element, 'tagline')),
    genres: genresOf(element),
    ...ratingOf(element),
    certification: toCertification([
      ...textsOf(element, 'mpaa'),
      ...textsOf(element, 'certification'),
    ]),
    [`${source}.countries`]: toLines(splitNames(textsOf(element, 'country'))),
    [`${source}.tags`]: toLines(textsOf(element, 'tag')),
    [`${source}.trailer`]: trailerOf(element),
    [`${source}.lockedFields`]: lockedPaths(splitNames(textsOf(element, 'lockedfields'))),
  });
}

/** `<genre>Drama</genre>`, `<genre>Drama / Crime</genre>`. */
export function genresOf(element: XmlElement): string[] {
  return toLines(splitNames(textsOf(element, 'genre')));
}

/** People, studios and genres by role. */
export function commonEntities(element: XmlElement): Record<string, readonly BundleEntity[]> {
  return roles({
    ...peopleOf(element),
    studio: entitiesNamed('studio', toLines(splitNames(textsOf(element, 'studio', 'label')))),
    genre: entitiesNamed('genre', genresOf(element)),
  });
}

/** `<set>Name</set>`, `<set tmdbcolid="2344"><name>…</name><overview>…</overview></set>`, several of them. */
export function collectionsOf(element: XmlElement): BundleEntity[] {
  return childrenOf(element, 'set').flatMap((set) => {
    const name = toLine(textOf(set, 'name') ?? set.text);
    if (name === undefined) return [];
    const collector = createIdCollector();
    for (const place of ['tmdbcolid', 'tmdbcollectionid', 'tmdb']) {
      collector.add('tmdbcolid', set.attributes.get(place));
    }
    collector.add(
      'tmdbcolid',
      textOf(element, 'tmdbcollectionid', 'collectionnumber', 'tmdbcolid'),
    );
    const overview = toText(textOf(set, 'overview'));
    const status = overview === undefined ? {} : { status: 'complete' as const };
    return [entity('series', name, { ...status, ids: collector.ids(), metadata: { overview } })];
  });
}

/** An address; Kodi stores YouTube videos as calls of its own plugin. */
function trailerOf(element: XmlElement): string | undefined {
  const written = childOf(element, 'trailer')?.text ?? '';
  const video = /^plugin:\/\/[^?]{1,100}\?.{0,100}?video_?id=([\w-]{11})/i.exec(written)?.[1];
  if (video !== undefined) return `https://www.youtube.com/watch?v=${video}`;
  return /^https?:\/\/\S{4,1000}$/i.test(written) ? written : undefined;
}
