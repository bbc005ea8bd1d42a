/** Comics, books and photos. */
import { padded, safe } from './names.ts';
import type { Shelf } from './shelf.ts';

/** The volumes of a comic, until there are so many files. */
export function comic(shelf: Shelf, goal: number): void {
  const { chance, names } = shelf;
  const series = names.title();
  const folder = `Books/${shelf.unique(safe(series))}`;
  const year = 1970 + chance.below(56);
  const style = chance.pick([
    (volume: number) => ` v${padded(volume)} (${year})`,
    (volume: number) => ` ${padded(volume, 3)} (${year})`,
    (volume: number) => ` Vol. ${volume}`,
  ]);
  const volumes = 3 + chance.below(8);
  for (let volume = 1; volume <= volumes && shelf.files.length < goal; volume++)
    shelf.media(`${folder}/${safe(series)}${style(volume)}.cbz`, {
      kind: 'comic',
      series,
      sequence: volume,
    });
}

/** The books of a writer, until there are so many files. */
export function writer(shelf: Shelf, goal: number): void {
  const { chance, names } = shelf;
  const author = names.person();
  const folder = `Books/${shelf.unique(author)}`;
  const books = 1 + chance.below(5);
  for (let at = 0; at < books && shelf.files.length < goal; at++) {
    const title = names.title();
    const truth = { kind: 'book', author, title } as const;
    const name = shelf.unique(`${author} - ${safe(title)}`);
    shelf.media(`${folder}/${name}.epub`, truth, { title, artist: author });
  }
}

/** The photos of a day, until there are so many files. */
export function album(shelf: Shelf, goal: number): void {
  const { chance, names } = shelf;
  const year = 2001 + chance.below(24);
  const name = shelf.unique(safe(names.title()));
  const day = `${year}${padded(1 + chance.below(12))}${padded(1 + chance.below(28))}`;
  const takenAt = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const photos = 3 + chance.below(20);
  for (let at = 0; at < photos && shelf.files.length < goal; at++)
    shelf.media(`Photos/${year}/${name}/IMG_${day}_${padded(100_000 + at, 6)}.jpg`, {
      ...{ kind: 'photo', album: name, year, takenAt },
    });
}
