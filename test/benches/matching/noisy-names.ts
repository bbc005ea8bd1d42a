/** Names of files as people have them, each of a film of the catalogue. */
import { seeded } from '../../support/seeded.ts';
import type { Film } from './made-films.ts';

/** A file and the film in it. */
export interface NoisyFile {
  readonly path: string;
  readonly film: Film;
  /** Seconds. */
  readonly duration: number;
}

type Random = () => number;

/** What is done to a title, and to how many of a hundred names. */
const noises: readonly (readonly [
  percent: number,
  change: (film: Film, random: Random) => string,
])[] = [
  [45, ({ title }) => title],
  [10, ({ title }) => title.replace(/^(The|A) /, '')],
  [8, ({ title }) => title.toUpperCase()],
  [8, ({ title }) => title.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll("'", '')],
  [9, ({ title }, random) => mistyped(title, random)],
  [4, ({ title }) => title.replace(/^(The|A) (.*)$/, '$2, $1')],
  [5, ({ title }) => title.replace('&', 'and').replace(/ II$/, ' 2').replace(/ 3$/, ' III')],
  [7, ({ original }) => original],
  [2, ({ title, translations }) => translations[0] ?? title],
  [2, ({ title }) => title.replace(/: .*$/, '')],
];

/** A letter is missing, doubled, or in the place of its neighbour. */
function mistyped(title: string, random: Random): string {
  const at = 1 + Math.floor(random() * (title.length - 2));
  const [before, letter, next, after] = [
    title.slice(0, at),
    title.charAt(at),
    title.charAt(at + 1),
    title.slice(at + 2),
  ];
  if (/\d/.test(letter + next)) return title;
  const kind = random();
  if (kind < 0.4) return before + next + after;
  return kind < 0.7 ? before + letter + letter + next + after : before + next + letter + after;
}

function yearOf({ year }: Film, random: Random): number | null {
  const at = random();
  if (at < 0.03) return null;
  return at < 0.06 ? year - 1 : year;
}

const scene = ['1080p.BluRay.x264-QUAY', '720p.WEB-DL.AAC2.0.H264-TIDE', '2160p.HDR.x265-MARE'];

function nameOf(title: string, year: number | null, random: Random): string {
  const plain = title.replaceAll('/', ' ').replaceAll(':', random() < 0.5 ? ' -' : '');
  const stem = year === null ? plain : `${plain} (${year})`;
  const kind = random();
  if (kind < 0.5) return `${stem}.mkv`;
  if (kind < 0.7) return `${stem}/${stem}.mkv`;
  const dotted = [plain, ...(year === null ? [] : [year])].join(' ').replace(/[ ,&]+/g, '.');
  const release = scene[Math.floor(random() * scene.length)] ?? '';
  return `${dotted}.${release}.mkv`;
}

/** Makes the names; the same ones each time. */
export function noisyFiles(films: readonly Film[], count: number): readonly NoisyFile[] {
  const random = seeded(10_000);
  return Array.from({ length: count }, () => {
    const film = films[Math.floor(random() * films.length)];
    if (film === undefined) throw new Error('The catalogue is empty.');
    let at = random() * 100;
    const noise = noises.find(([percent]) => (at -= percent) < 0) ?? noises[0];
    const title = noise?.[1](film, random) ?? film.title;
    const path = nameOf(title, yearOf(film, random), random);
    return { path, film, duration: film.minutes * 60 + Math.round(random() * 240 - 120) };
  });
}
