/** Titles and names of people, in many scripts, as disks have them. */
import type { Chance } from './chance.ts';

const list = (text: string): readonly string[] => text.split(' ');

const adjectives = list(
  'Silent Broken Crimson Hidden Golden Last First Burning Frozen Distant Paper Hollow Electric Velvet Iron Wandering Forgotten Restless Midnight Bitter Gentle Crooked Savage Lonely Rising Falling Stolen Sacred Wild Pale Emerald Northern Southern Eternal Fragile Glass Copper Scarlet Quiet Second Invisible Reluctant Clockwork Borrowed Phantom Amber Winter Summer Autumn Vanishing',
);
const nouns = list(
  'Harbor River Garden Empire Machine Mountain Letter Mirror Orchard Station Lighthouse Kingdom Shadow Horizon Season Voyage Detective Widow Brother Daughter Soldier Pilgrim Theorem Signal Engine Island Winter Carnival Bridge Cathedral Desert Storm Circus Archive Sparrow Wolf Fox Raven Tiger Whale Planet Comet Border Frontier Cellar Window Bakery Motel Railway Satellite Monument Labyrinth Parliament Symphony Promise Secret Reckoning Inheritance Alibi Ransom Covenant',
);
const verbs = list(
  'Chasing Finding Losing Saving Leaving Crossing Burying Remembering Stealing Waking Hunting Forgiving Counting Painting Breaking',
);
const places = list(
  'Lisbon Kyoto Marrakesh Oslo Buenos-Aires Tbilisi Vancouver Nairobi Prague Hanoi Reykjavik Havana Zanzibar Galway Kraków Montréal São-Paulo',
).map((place) => place.replace('-', ' '));
const firstNames = list(
  'Ada Boris Clara Dmitri Elena Felix Greta Hugo Ines Jonas Karin Luca Mina Nils Olga Pablo Quentin Rosa Sven Tara Ugo Vera Wanda Xavier Yara Zoltan Zoë Renée José Bjørn Søren Łukasz',
);
const lastNames = list(
  'Abbott Berg Castillo Dvořák Eriksen Fontaine Grimaldi Haddad Ishikawa Jansen Kowalski Lindqvist Moreau Nakamura Okafor Petrov Quinn Rossi Schmidt Tanaka Ueda Vasquez Whitfield Xu Yilmaz Zhang O’Connell Núñez Müller',
);
/** Titles in several scripts. */
export const foreignTitles = [
  ...[
    '千年の庭',
    '静かな港',
    '銀河鉄道の朝',
    '沉默的港湾',
    '红色图书馆',
    '서울의 겨울',
    '바람의 노래',
  ],
  ...['Тихая гавань', 'Мастер и зеркало', 'Последний поезд', 'Η τελευταία γέφυρα', 'مدينة الملح'],
  ...[
    'بيت الريح',
    'עיר של זכוכית',
    'दूसरा बगीचा',
    'บ้านริมน้ำ',
    'Amélie à l’ombre',
    'Über den Wäldern',
  ],
  ...['El año del dragón', 'Çocukluğun Sonu', 'Żółta łódź', 'Tình yêu mùa đông', 'Năm ngón tay'],
  ...['Das große Schweigen', 'L’été meurtrier d’Ève', 'Smørrebrød & Sorg', 'Þögnin', 'ÆON FLÖD'],
  ...['🎬 Emoji: The Cut 🍿', 'Ｆｕｌｌｗｉｄｔｈ Ｄｒｅａｍｓ'],
] as const;
/** Titles that look like something else. */
const misleadingTitles = [
  ...[
    '1917',
    '2012',
    '300',
    'Se7en',
    '21 Grams',
    '1984',
    '9',
    'Ocean’s Eleven',
    'Mr. & Mrs. Night',
  ],
  ...[
    'S.W.A.T. Diaries',
    'Fahrenheit 451',
    'Apollo 13',
    '12 Monkeys Later',
    'E01',
    'What’s Up, Doc?',
  ],
] as const;

export interface Names {
  readonly adjective: () => string;
  readonly noun: () => string;
  readonly person: () => string;
  /** A title of English words. */
  readonly plainTitle: () => string;
  readonly title: () => string;
  /** Some folders within each other. */
  readonly deepFolders: () => string;
}

export function createNames({ below, pick, happens }: Chance): Names {
  const adjective = (): string => pick(adjectives);
  const noun = (): string => pick(nouns);
  const place = (): string => pick(places);
  const shapes = [
    () => `The ${noun()} of ${place()}`,
    () => `${pick(verbs)} the ${adjective()} ${noun()}`,
    () => `${noun()} & ${noun()}`,
    () => `${adjective()} ${noun()} ${2 + below(4)}`,
    () => `The ${adjective()} ${noun()}`,
    () => `${pick(firstNames)} and the ${adjective()} ${noun()}`,
    () => `${adjective()} ${noun()}: ${pick(verbs)} ${place()}`,
    () => `${noun()} in ${place()}`,
  ];
  const plainTitle = (): string => pick(shapes)();
  return {
    adjective,
    noun,
    plainTitle,
    person: () => `${pick(firstNames)} ${pick(lastNames)}`,
    title: () => {
      if (happens(0.01)) return pick(misleadingTitles);
      if (!happens(0.08)) return plainTitle();
      const title = `${pick(foreignTitles)}${happens(0.5) ? ` ${1 + below(40)}` : ''}`;
      return happens(0.25) ? title.normalize('NFD') : title;
    },
    deepFolders: () =>
      Array.from({ length: 8 + below(12) }, (_, at) => `${adjective()} ${noun()} ${at}`).join('/'),
  };
}

/** What people make of a title to name a file after it. */
export function safe(title: string): string {
  let name = title
    .replace(/[/\\]/g, '-')
    .replace(/:/g, ' -')
    .replace(/[?*"<>|]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  while (Buffer.byteLength(name) > 200) name = name.slice(0, -1);
  return name || 'Untitled';
}

/** With so many digits and more. */
export const padded = (number: number, digits = 2): string => String(number).padStart(digits, '0');
