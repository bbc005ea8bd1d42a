import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Viewer } from '../viewer/index.ts';
import { findPreferences, putPreferences } from './preference-store.ts';
import type { Profiles } from './profiles.ts';

/** What a profile prefers: keys that the server knows, and those that clients have for themselves. */
export type PreferenceMap = Readonly<Record<string, unknown>>;

/** The preferences of profiles: of a user's own, and for admins of all. */
export type Preferences = ReturnType<typeof createPreferences>;

export interface PreferencesParts {
  readonly database: Database;
  readonly profiles: Pick<Profiles, 'open'>;
  /** Called before the change of a preferred language resolves. */
  readonly onLocaleChange: () => void;
}

/** The keys that the schema of the route describes, with limits of their own. */
const knownKeys: ReadonlySet<string> = new Set([
  'locale',
  'theme',
  'audioLanguages',
  'subtitleLanguages',
  'subtitleMode',
  'textSize',
  'autoplayNext',
  'skipIntro',
  'homeRows',
]);

const mostBytesOfKey = 1024;
const mostBytes = 65_536;
const keyPattern = /^[A-Za-z][\w.:-]{0,99}$/;

export function createPreferences(parts: PreferencesParts) {
  const { database, profiles, onLocaleChange } = parts;
  const read = async (db: Transaction | Database['read'], profileId: string) =>
    JSON.parse((await findPreferences(db, profileId)) ?? '{}') as PreferenceMap;

  return {
    get: async (profileId: string, viewer: Viewer): Promise<PreferenceMap> => {
      await profiles.open(profileId, viewer);
      return read(database.read, profileId);
    },
    /** Sets these keys; `null` removes one, and the others stay. */
    put: async (
      profileId: string,
      changes: PreferenceMap,
      viewer: Viewer,
    ): Promise<PreferenceMap> => {
      for (const [key, value] of Object.entries(changes)) assertKept(key, value);
      await profiles.open(profileId, viewer);
      const change = async (trx: Transaction): Promise<PreferenceMap> => {
        const merged = Object.entries({ ...(await read(trx, profileId)), ...changes });
        const preferences = Object.fromEntries(merged.filter(([, value]) => value !== null));
        const text = JSON.stringify(preferences);
        if (Buffer.byteLength(text) > mostBytes)
          throw refusal(
            `The preferences of a profile may have ${mostBytes} bytes of JSON in all: remove some first.`,
          );
        await putPreferences(trx, profileId, text);
        return preferences;
      };
      return database.write(change, () => {
        if (Object.hasOwn(changes, 'locale')) onLocaleChange();
      });
    },
    /** The rows of the first page in the order that the profile wants. */
    homeRows: async (profileId: string): Promise<readonly string[]> => {
      const { homeRows } = await read(database.read, profileId);
      return Array.isArray(homeRows) ? homeRows.filter((row) => typeof row === 'string') : [];
    },
  };
}

function assertKept(key: string, value: unknown): void {
  if (!keyPattern.test(key))
    throw refusal(
      `body: ${JSON.stringify(key.slice(0, 100))} cannot be a key: up to 100 letters, digits and _ . : -, and a letter first.`,
    );
  if (!knownKeys.has(key) && Buffer.byteLength(JSON.stringify(value)) > mostBytesOfKey)
    throw refusal(`body.${key} may have ${mostBytesOfKey} bytes of JSON.`);
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
