/** Genres among the subjects of a book, which are mostly topics, places and shelf marks. */
import type { Identification } from '../../plugin-api/index.ts';
import { textsOf } from '../catalogue-lookup/values.ts';
import { source } from './catalogue.ts';

const genres: ReadonlyMap<string, string> = new Map(
  [
    'Adventure: adventure stories, adventure and adventurers, adventure fiction',
    'Biography: biography, autobiography, biographies',
    "Children: children's fiction, juvenile fiction, children's stories",
    'Classic: classic literature, classics',
    'Comics: comic books, comics, graphic novels, comics & graphic novels, manga',
    'Cooking: cooking, cookery, cookbooks',
    'Crime: crime fiction, detective and mystery stories, mystery, mystery fiction',
    'Drama: drama, plays',
    'Fantasy: fantasy, fantasy fiction',
    'Historical fiction: historical fiction',
    'History: history',
    'Horror: horror, horror stories, horror tales, horror fiction',
    'Humor: humor, humour, humorous stories',
    'Philosophy: philosophy',
    'Poetry: poetry, poems',
    'Romance: romance, love stories, romance fiction',
    'Science: science, popular science',
    'Science fiction: science fiction',
    'Short stories: short stories',
    'Thriller: thriller, thrillers, suspense, suspense fiction, spy stories',
    'Travel: travel',
    'Young adult: young adult fiction',
  ].flatMap((line) => {
    const [name = '', words = ''] = line.split(': ');
    return words.split(', ').map((word) => [word, name] as const);
  }),
);

const most = 5;

/** The first genres, by the words that Open Library has for them. */
export function genresIn(subjects: unknown): NonNullable<Identification['entities']> {
  const names = textsOf(subjects).flatMap((one) => genres.get(one.toLowerCase()) ?? []);
  const genre = [...new Set(names)]
    .slice(0, most)
    .map((name) => ({ name, type: 'genre', status: 'complete', source }));
  return genre.length === 0 ? {} : { genre };
}
