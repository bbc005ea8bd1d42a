/** Music and audiobooks, most of them with tags. */
import { foreignTitles, padded, safe } from './names.ts';
import type { Shelf } from './shelf.ts';

const genres = ['Rock', 'Jazz', 'Electronic', 'Classical', 'Folk', 'Hip-Hop', 'Metal', 'Ambient'];

/** The albums of an artist, until there are so many files. */
export function artist(shelf: Shelf, goal: number): void {
  const { chance, names } = shelf;
  const band = (): string => `The ${names.adjective()} ${names.noun()}s`;
  const name = chance.happens(0.1)
    ? chance.pick(foreignTitles)
    : chance.happens(0.5)
      ? band()
      : names.person();
  const folder = `Music/${shelf.unique(safe(name))}`;
  const albums = 1 + chance.below(4);
  for (let at = 0; at < albums && shelf.files.length < goal; at++) {
    const title = names.title();
    const year = 1960 + chance.below(66);
    const number = at === 0 ? '' : ` ${at}`;
    album(shelf, goal, {
      ...{ artist: name, album: title, year },
      folder: `${folder}/${safe(title)}${chance.happens(0.5) ? ` (${year})` : ''}${number}`,
    });
  }
}

interface Album {
  readonly artist: string;
  readonly album: string;
  readonly year: number;
  readonly folder: string;
}

function album(shelf: Shelf, goal: number, { folder, ...about }: Album): void {
  const { chance, names } = shelf;
  const discs = chance.happens(0.08) ? 2 : 1;
  const genre = chance.pick(genres);
  const extension = chance.pick(['mp3', 'mp3', 'flac']);
  const tracks = 7 + chance.below(8);
  if (chance.happens(0.7))
    shelf.poster(`${folder}/${chance.pick(['cover', 'folder', 'front'])}.jpg`);
  for (let disc = 1; disc <= discs; disc++)
    for (let track = 1; track <= tracks; track++) {
      if (shelf.files.length >= goal) return;
      const title = names.title();
      const guest = chance.happens(0.03) ? ` feat. ${names.person()}` : '';
      const place = discs > 1 ? `${folder}/CD${disc}` : folder;
      const truth = { kind: 'track', ...about, title, track, ...(discs > 1 && { disc }) } as const;
      const file = `${place}/${padded(track)} - ${safe(title)}.${extension}`;
      if (chance.happens(0.03)) shelf.media(file, { ...truth, untagged: true });
      else {
        const people = { artist: `${about.artist}${guest}`, albumArtist: about.artist };
        shelf.media(file, truth, { ...about, ...people, title, track, genre });
      }
    }
}

/** The books of an author, until there are so many files. */
export function author(shelf: Shelf, goal: number): void {
  const { chance, names } = shelf;
  const name = names.person();
  const folder = `Audiobooks/${shelf.unique(name)}`;
  const cycle = chance.happens(0.4) ? `${names.adjective()} ${names.noun()} Cycle` : undefined;
  const books = 1 + chance.below(4);
  for (let volume = 1; volume <= books && shelf.files.length < goal; volume++)
    book(shelf, goal, {
      ...{ author: name, title: names.title(), year: 1950 + chance.below(76) },
      ...{ narrator: names.person(), folder },
      ...(cycle !== undefined && { series: cycle, sequence: volume }),
    });
}

interface Book {
  readonly author: string;
  readonly title: string;
  readonly year: number;
  readonly narrator: string;
  readonly series?: string;
  readonly sequence?: number;
  readonly folder: string;
}

function book(shelf: Shelf, goal: number, { folder, ...about }: Book): void {
  const { chance } = shelf;
  const { title, year, narrator, series, sequence } = about;
  const volume = sequence === undefined ? '' : `Vol. ${sequence} - `;
  const dated = chance.happens(0.4) ? `${year} - ` : '';
  const read = chance.happens(0.2) ? ` {${narrator}}` : '';
  const name = shelf.unique(`${volume}${dated}${safe(title)}${read}`);
  const place = `${folder}/${series === undefined ? '' : `${safe(series)}/`}${name}`;
  const truth = { kind: 'audiobook', ...about } as const;
  const people = { artist: about.author, albumArtist: about.author, narrator };
  const tags = { album: title, ...people, year, genre: 'Audiobook' };
  if (chance.happens(0.6)) shelf.media(`${place}/${safe(title)}.m4b`, truth, { ...tags, title });
  else {
    const chapters = 4 + chance.below(10);
    for (let track = 1; track <= chapters && shelf.files.length < goal; track++) {
      const chapter = `Chapter ${track}`;
      const file = `${place}/${padded(track)} - ${chapter}.mp3`;
      shelf.media(file, truth, { ...tags, title: chapter, track });
    }
  }
  if (chance.happens(0.6)) shelf.poster(`${place}/cover.jpg`);
  if (chance.happens(0.2))
    shelf.sidecar(`${place}/desc.txt`, `${title} by ${about.author}, read by ${narrator}.\n`);
}
