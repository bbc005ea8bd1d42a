/** Who uses the app: the user, the profile, and what the profile prefers. */
import { batch, computed, signal } from '@preact/signals';
import { call, Refusal, setCsrfToken, setLanguage, setProfile, type Resources } from './api.ts';
import { chooseLanguage } from './messages.ts';
import { forgetResources } from './resource.ts';
import { forgetTileLists } from './tile-list.ts';

type Viewer = Resources['Viewer'];
type Profile = Resources['Profile'];
type Preferences = Resources['Preferences'];

/** The signed-in viewer; `null` until the app has started. */
export const viewer = signal<Viewer | null>(null);
export const profiles = signal<readonly Profile[]>([]);
export const preferences = signal<Preferences>({});
/** Whether the profile has a PIN that was not entered yet. */
export const isLocked = signal(false);
/** The profile whose preferences and lock were read. */
export const openedProfileId = signal<string | undefined>(undefined);

/** The profile that requests act as. */
export const profile = computed(() =>
  profiles.value.find(({ id }) => id === viewer.value?.profileId),
);

export const isAdmin = computed(() => viewer.value?.role === 'admin');

/** The profile that this browser uses, by user. */
const profileKey = (userId: string): string => `profile:${userId}`;
/** The profile that this browser used last. */
const lastKey = 'profile';

/** Says that something is kept on this device, so that nothing is loaded where nothing is. */
const keptKey = 'downloads';

/** Whether anything may be kept on this device. */
export const hasDownloads = (): boolean => localStorage.getItem(keptKey) !== null;

/** Remembers whether anything is kept on this device. */
export function markKept(isKept: boolean): void {
  if (isKept) localStorage.setItem(keptKey, '1');
  else localStorage.removeItem(keptKey);
}

const askPreferences = (id: string) =>
  call('get', '/api/profiles/{id}/preferences', { path: { id } });
type Asked = ReturnType<typeof askPreferences>;

async function readPreferences(asked?: Asked): Promise<void> {
  const id = viewer.value?.profileId;
  let found: Preferences = {};
  let needsPin = false;
  if (id !== undefined)
    try {
      found = (await (asked ?? askPreferences(id))).preferences;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      needsPin = error.code === 'profile_locked';
    }
  batch(() => {
    preferences.value = found;
    isLocked.value = needsPin;
    openedProfileId.value = id;
  });
  applyTheme();
  const preferred = preferences.value['locale'];
  const own = sessionStorage.getItem('locale');
  const chosen = [own, preferred].filter((tag) => typeof tag === 'string');
  setLanguage(chosen[0]);
  await chooseLanguage([...chosen, ...navigator.languages]);
}

/** Sets the colours and the size of the text that the profile prefers. */
export function applyTheme(): void {
  const theme = preferences.value['theme'];
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
  else delete root.dataset['theme'];
  const size = preferences.value['textSize'];
  if (typeof size === 'string') root.dataset['textSize'] = size;
  else delete root.dataset['textSize'];
}

/** Asks who is signed in, as that profile. */
function askWho(id?: string) {
  setProfile(id);
  return Promise.all([call('get', '/api/auth/me'), call('get', '/api/profiles')]);
}

/**
 * Reads who is signed in; `false` = nobody is. It asks for everything at once, as the profile that
 * was used last: on a slow network each answer that waits for another is seen.
 */
export async function startSession(): Promise<boolean> {
  const last = localStorage.getItem(lastKey) ?? undefined;
  let asked: Asked | undefined;
  try {
    const who = askWho(last);
    if (last !== undefined) (asked = askPreferences(last)).catch(() => {});
    const [me, { profiles: all }] = await who.catch((error: unknown) => {
      // Another person is signed in, who has no such profile.
      if (last !== undefined && error instanceof Refusal && error.status === 404) return askWho();
      throw error;
    });
    setCsrfToken(me.csrfToken);
    profiles.value = all;
    viewer.value = me;
    const kept = localStorage.getItem(profileKey(me.user.id));
    if (kept !== null && kept !== me.profileId && all.some(({ id }) => id === kept)) {
      setProfile(kept);
      viewer.value = await call('get', '/api/auth/me');
      forgetAll();
    }
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return false;
    throw error;
  }
  const { profileId } = viewer.value;
  await readPreferences(profileId === last ? asked : undefined);
  localStorage.setItem(lastKey, profileId);
  return true;
}

/** Another profile sees something else. */
function forgetAll(): void {
  forgetTileLists();
  forgetResources();
}

/** Acts as another profile of the user from now on. */
export async function chooseProfile(id: string): Promise<void> {
  const user = viewer.value?.user;
  if (user === undefined) return;
  localStorage.setItem(profileKey(user.id), id);
  localStorage.setItem(lastKey, id);
  setProfile(id);
  viewer.value = await call('get', '/api/auth/me');
  await readPreferences();
  forgetAll();
}

/** Reads the profiles again, after one was changed. */
export async function reloadProfiles(): Promise<void> {
  profiles.value = (await call('get', '/api/profiles')).profiles;
}

/** Sets what the profile prefers; `null` removes a preference. */
export async function prefer(changes: Readonly<Record<string, unknown>>): Promise<void> {
  const id = viewer.value?.profileId;
  if (id === undefined) return;
  const body: Record<string, unknown> = changes;
  await call('put', '/api/profiles/{id}/preferences', { path: { id }, body });
  await readPreferences();
}
