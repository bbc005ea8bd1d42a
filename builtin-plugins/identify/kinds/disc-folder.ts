import { readNumber } from '../reading/numbers.ts';

/** The number of a disc, and the words in front of it. */
export interface DiscName {
  readonly disc: number;
  /** `Album` in `Album - CD2`; empty when the name is only the disc. */
  readonly before: string;
}

const words =
  '(?:enhanced |hybrid |blu-spec )?(?:cd|sacd)|disc|disk|disque|disco|(?:\\d{1,2}" )?vinyl|lp|side|tape|cassette|dvd|digital media|диск';
const number = String.raw`(\d{1,2}|[a-d]|one|two|three|four|five|six|seven|eight|nine|ten|[ivx]{1,4})`;
const alone = new RegExp(`^[([]?(?:${words})[ _.#-]{0,3}${number}(?![\\p{L}\\p{N}])`, 'iu');
const behind = new RegExp(
  `[ _.,([-]{1,3}(?:cd|disc|disk|disque|диск)[ _.#-]{0,2}(\\d{1,2})[)\\]]?$`,
  'i',
);

/** `CD1`, `Disc 2 - Live`, `Side B`, `Disc Two`; undefined for other names. */
export function readDiscNumber(name: string): DiscName | undefined {
  const match = alone.exec(name);
  if (match === null) return undefined;
  const written = (match[1] ?? '').toLowerCase();
  const disc = /^[a-d]$/.test(written) ? written.charCodeAt(0) - 96 : readNumber(written);
  return disc === undefined || disc > 99 ? undefined : { disc, before: '' };
}

/** `Bonus CD`, `Bonus Disc`. */
export function isBonusDisc(name: string): boolean {
  return /^bonus[ _-](?:cd|disc|disk|tracks|material)$/i.test(name);
}

/** The same with the title in front: `Album (Disc 2)`, `Album CD2`. */
export function readDiscFolder(name: string): DiscName | undefined {
  const match = behind.exec(name);
  const disc = Number(match?.[1]);
  return match === null || match.index === 0
    ? readDiscNumber(name)
    : { disc, before: name.slice(0, match.index) };
}
