import type { Identification } from '../../../plugin-api/index.ts';

/** The role of a file in its work. */
export type Classification = NonNullable<Identification['classification']>;

const rows: readonly (readonly [Classification, string])[] = [
  ['trailer', 'trailer, trailers, teaser, teasers, bande annonce, bandes annonces, tráiler'],
  [
    'behind-the-scenes',
    'behind the scenes, behindthescenes, making of, makingof, the making of, bts, backstage',
  ],
  [
    'deleted-scene',
    'deleted, deletedscene, deletedscenes, deleted scene, deleted scenes, extended scenes, outtakes, bloopers, gag reel',
  ],
  [
    'extra',
    'extra, extras, featurette, featurettes, interview, interviews, scene, scenes, short, shorts, clip, clips, other, bonus, bonuses, bonus features, special features, bonusmaterial, sample, samples, proof, theme music, backdrops, making, nc, ncop, nced, ncop & nced, nced & ncop, ncops, nceds, creditless, openings, endings, menu, menus, pv, pvs',
  ],
];

/** Folder names that hold extras, as lower-case words joined by spaces. */
export const extraFolders: ReadonlyMap<string, Classification> = new Map(
  rows.flatMap(([kind, words]) => words.split(', ').map((word) => [word, kind] as const)),
);

/** Suffixes of a file name, after `-`, `.` or `_`, that make it an extra of its neighbour. */
export const extraSuffixes: ReadonlyMap<string, Classification> = new Map<string, Classification>([
  ['trailer', 'trailer'],
  ['teaser', 'trailer'],
  ['behindthescenes', 'behind-the-scenes'],
  ['makingof', 'behind-the-scenes'],
  ['deleted', 'deleted-scene'],
  ['deletedscene', 'deleted-scene'],
  ['featurette', 'extra'],
  ['interview', 'extra'],
  ['scene', 'extra'],
  ['short', 'extra'],
  ['clip', 'extra'],
  ['other', 'extra'],
  ['extra', 'extra'],
  ['sample', 'extra'],
]);
