/** Films and series, named as people and release groups name them. */
import { padded, safe } from './names.ts';
import { subtitle, xml, type MadeFile, type Shelf } from './shelf.ts';

const heights = ['480p', '720p', '1080p', '2160p'];
const sources = ['BluRay', 'WEB-DL', 'WEBRip', 'HDTV', 'DVDRip', 'BDRemux'];
const codecs = ['x264', 'x265', 'H.264', 'HEVC', 'AV1'];
const groups = ['NOVA', 'KTR', 'mSD', 'Aurora', 'FGT2', 'iNTERNAL'];
const editions = ["Director's Cut", 'Extended Edition', 'Theatrical', 'Remastered', 'Unrated'];
const genres = [
  ...['Drama', 'Comedy', 'Thriller', 'Science Fiction', 'Documentary', 'Horror', 'Romance'],
  'Western',
];
const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

function release({ chance: { pick } }: Shelf): string {
  return `${pick(heights)}.${pick(sources)}.${pick(codecs)}-${pick(groups)}`;
}

/** A film with what lies beside it. */
export function film(shelf: Shelf): void {
  const { chance, names } = shelf;
  const title = names.title();
  const year = 1930 + chance.below(96);
  const edition = chance.happens(0.06) ? chance.pick(editions) : undefined;
  const one = {
    truth: { kind: 'movie', title, year },
    title,
    year,
    edition,
    extension: chance.pick(['mkv', 'mkv', 'mkv', 'mkv', 'mp4', 'mp4', 'avi']),
    top: `Movies/${chance.happens(0.01) ? `${names.deepFolders()}/` : ''}`,
  } as const;
  const style = chance.below(10);
  if (style < 6) filmInFolder(shelf, one);
  else if (style < 9) filmOfGroup(shelf, one);
  else {
    const name = shelf.unique(`${safe(title)} ${chance.happens(0.5) ? `[${year}]` : year}`);
    shelf.media(`Movies/${name}.${one.extension}`, one.truth);
  }
}

interface Film {
  readonly truth: Omit<MadeFile, 'path'>;
  readonly title: string;
  readonly year: number;
  readonly edition: string | undefined;
  readonly extension: string;
  readonly top: string;
}

/** `Title (Year)/Title (Year).mkv`. */
function filmInFolder(shelf: Shelf, { truth, title, year, edition, extension, top }: Film): void {
  const { chance, names, media, sidecar } = shelf;
  const base = shelf.unique(`${safe(title)} (${year})`);
  const folder = `${top}${base}`;
  const cut = edition === undefined ? '' : ` {edition-${safe(edition)}}`;
  const name = `${base}${cut}${chance.happens(0.3) ? ` [${chance.pick(heights)}]` : ''}`;
  const parts = chance.happens(0.04) ? [' - part1', ' - part2'] : [''];
  for (const part of parts) media(`${folder}/${name}${part}.${extension}`, truth);
  if (chance.happens(0.5)) {
    const id = padded(chance.below(9_999_999), 7);
    sidecar(
      `${folder}/${chance.happens(0.5) ? 'movie' : name}.nfo`,
      `${head}<movie><title>${xml(title)}</title><year>${year}</year><genre>${chance.pick(genres)}</genre><director>${xml(names.person())}</director><uniqueid type="imdb" default="true">tt${id}</uniqueid><runtime>${80 + chance.below(80)}</runtime></movie>\n`,
    );
  }
  if (chance.happens(0.4)) {
    const language = chance.pick(['en', 'de', 'fr', 'pt-BR']);
    const forced = chance.happens(0.2) ? '.forced' : '';
    sidecar(`${folder}/${name}.${language}${forced}.srt`, subtitle(title));
  }
  if (chance.happens(0.5))
    shelf.poster(`${folder}/${chance.pick(['poster', 'folder', 'fanart'])}.jpg`);
  if (chance.happens(0.05)) {
    const extras = ['Featurettes/Making Of', 'Trailers/Trailer', 'extras/Deleted Scenes'];
    media(`${folder}/${chance.pick(extras)}.mp4`, { kind: 'extra', of: title });
  }
}

/** `Scene.Name.1999.1080p.BluRay.x264-GRP.mkv`. */
function filmOfGroup(shelf: Shelf, { truth, title, year, edition, extension, top }: Film): void {
  const { chance, media, sidecar } = shelf;
  const dotted = (text: string): string => text.replace(/[ ’',]+/g, '.').replace(/\.+/g, '.');
  const cut = edition === undefined ? '' : `${dotted(safe(edition))}.`;
  const base = shelf.unique(`${dotted(safe(title))}.${year}.${cut}${release(shelf)}`);
  media(`${top}${base}/${base}.${extension}`, truth);
  if (chance.happens(0.1))
    media(`${top}${base}/Sample/${base}-sample.${extension}`, { kind: 'sample', of: title });
  if (chance.happens(0.3)) {
    const id = padded(chance.below(9_999_999), 7);
    const text = `release ${base}\nimdb https://www.imdb.com/title/tt${id}/\n`;
    sidecar(`${top}${base}/${base}.nfo`, text);
  }
}

/** A series, until there are so many files. */
export function series(shelf: Shelf, goal: number): void {
  const { chance, names, files } = shelf;
  const title = names.title();
  const year = 1960 + chance.below(66);
  const folder = `Series/${shelf.unique(`${safe(title)}${chance.happens(0.4) ? ` (${year})` : ''}`)}`;
  const style = chance.below(10);
  const last = 6 + chance.below(14);
  shelf.sidecar(
    `${folder}/tvshow.nfo`,
    `${head}<tvshow><title>${xml(title)}</title><year>${year}</year><genre>${chance.pick(genres)}</genre></tvshow>\n`,
  );
  if (chance.happens(0.6)) shelf.poster(`${folder}/poster.jpg`);
  let absolute = 0;
  const seasons = 1 + chance.below(4);
  for (let season = chance.happens(0.1) ? 0 : 1; season <= seasons; season++)
    for (let episode = 1; episode <= last; episode++) {
      if (files.length >= goal) return;
      absolute += 1;
      if (style === 9) {
        const number = `${safe(title)} - ${padded(absolute)} [${chance.pick(heights)}].mkv`;
        const truth = { kind: 'episode', title, absolute } as const;
        shelf.media(`${folder}/[${chance.pick(groups)}] ${number}`, truth);
      } else if (isDouble(shelf, style, episode < last)) {
        const pair = { title, season, episode, episodeEnd: episode + 1, folder, style };
        episodeFile(shelf, pair);
        episode += 1;
      } else episodeFile(shelf, { title, season, episode, folder, style });
    }
}

const isDouble = ({ chance }: Shelf, style: number, hasNext: boolean): boolean =>
  style <= 5 && hasNext && chance.happens(0.01);

interface Episode {
  readonly title: string;
  readonly season: number;
  readonly episode: number;
  readonly episodeEnd?: number;
  readonly folder: string;
  readonly style: number;
}

function episodeFile(shelf: Shelf, { folder, style, ...episode }: Episode): void {
  const { chance, media, sidecar } = shelf;
  const own = shelf.names.plainTitle();
  const { title, season, episodeEnd } = episode;
  const called = episodeEnd === undefined ? { episodeTitle: own } : {};
  const usual = season === 0 ? '/Specials' : `/Season ${padded(season)}`;
  const below = style === 1 ? `/S${padded(season)}` : style === 2 ? '' : usual;
  const name = `${folder}${below}/${episodeName(shelf, episode, style, own)}`;
  const extension = chance.pick(['mkv', 'mkv', 'mkv', 'mp4', 'avi']);
  // Only some names have the title of the episode, and only its sidecar can tell it beside them.
  const hasTitle = style <= 6;
  media(`${name}.${extension}`, { kind: 'episode', ...episode, ...(hasTitle && called) });
  if (chance.happens(0.25) && hasTitle)
    sidecar(
      `${name}.nfo`,
      `${head}<episodedetails><title>${xml(own)}</title><season>${season}</season><episode>${episode.episode}</episode></episodedetails>\n`,
    );
  if (chance.happens(0.25)) sidecar(`${name}.en.srt`, subtitle(title));
}

function episodeName(
  shelf: Shelf,
  { title, season, episode, episodeEnd }: Omit<Episode, 'folder' | 'style'>,
  style: number,
  own: string,
): string {
  const number = `S${padded(season)}E${padded(episode)}`;
  if (episodeEnd !== undefined) return `${safe(title)} - ${number}-E${padded(episodeEnd)}`;
  if (style <= 5) return `${safe(title)} - ${number} - ${safe(own)}`;
  if (style === 6) return `${safe(title)} ${season}x${padded(episode)} ${safe(own)}`;
  if (style === 7) return `${safe(title).replace(/ +/g, '.')}.${number}.${release(shelf)}`;
  return `${safe(title)} ${number}`;
}
