/**
 * What a person may write into the metadata that the server itself reads, sorts and filters by. A
 * wrong value would be stored, locked against scans and found by no filter, so it is refused. Keys
 * that the server does not read are kept as they are.
 */
import { AppError } from '../../../platform/errors.ts';

/** What a key holds, and how that is said. */
interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly right: string;
}

const number = (least: number, most: number): Rule => ({
  fits: (value) => typeof value === 'number' && value >= least && value <= most,
  right: `a number from ${least} to ${most}`,
});

const whole = (least: number, most: number): Rule => ({
  fits: (value) => Number.isInteger(value) && number(least, most).fits(value),
  right: `a whole number from ${least} to ${most}`,
});

const text: Rule = { fits: (value) => typeof value === 'string', right: 'a text' };

const mostNames = 100;
/** No control characters: no name has them, and PostgreSQL stores no NUL. */
const nameForm = /^\P{Cc}{1,200}$/u;

const names: Rule = {
  fits: (value) =>
    Array.isArray(value) &&
    value.length <= mostNames &&
    value.every((one) => typeof one === 'string' && nameForm.test(one.trim())),
  right: `a list of at most ${mostNames} names of 1 to 200 characters`,
};

const date: Rule = {
  fits: (value) => typeof value === 'string' && /^\d{4}(-\d\d(-\d\d)?)?(?!\d)/.test(value),
  right: 'a date such as 2001-03-31, 2001-03 or 2001',
};

const rules: ReadonlyMap<string, Rule> = new Map([
  ['year', whole(1, 9999)],
  ['rating', number(0, 10)],
  ...['season', 'disc', 'track', 'part'].map((key) => [key, whole(0, 99_999)] as const),
  // A recap between two episodes is 13.5.
  ...['episode', 'absoluteEpisode'].map((key) => [key, number(0, 99_999)] as const),
  ...['airDate', 'releaseDate'].map((key) => [key, date] as const),
  ...['originalTitle', 'sortTitle', 'overview', 'tagline', 'series', 'edition', 'album'].map(
    (key) => [key, text] as const,
  ),
  ['genres', names],
]);

/**
 * Refuses a value that the server cannot read; null removes a key.
 *
 * @throws {AppError} `invalid_request`, which names the key and what is right
 */
export function checkMetadata(metadata: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(metadata)) {
    const rule = rules.get(key);
    if (value === null || rule === undefined || rule.fits(value)) continue;
    throw new AppError('invalid_request', {
      what: `metadata.${key} must be ${rule.right}, or null to remove it.`,
    });
  }
}
