/** Who uses the app: the user, the profile, and what the profile prefers. */
import { batch, computed, signal } from '@preact/signals';
import { call, Refusal, setCsrfToken, setLanguage, setProfile, type Resources } from './api.ts';
import { lastProfileKey, lookAttributes, lookKey, signedInKey, userKey } from './early-parts.ts';
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

/**
 * Whether the person may do more than watch: mark, rate, list, and manage profiles. It is what operations with
 * `x-role` `user` need.
 */
export const isUser = computed(() => viewer.value !== null && viewer.value.role !== 'guest');

/** The profile that this browser uses, by user. */
const profileKey = (userId: string): string => `profile:${userId}`;

/** Says that something is kept on this device, so that nothing is loaded where nothing is. */
const keptKey = 'downloads';

/** Whether anything may be kept on this device. */
export const hasDownloads = (): boolean => localStorage.getItem(keptKey) !== null;

/** Remembers whether anything is kept on this device. */
export function markKept(isKept: boolean): void {
  if (isKept) localStorage.setItem(keptKey, '1');
  else localStorage.removeItem(keptKey);
}

/** The server keeps nothing for guests: what one prefers stays in this browser, by profile. */
const guestKey = (profileId: string): string => `preferences:${profileId}`;

const guestPreferences = (profileId: string): Preferences =>
  JSON.parse(localStorage.getItem(guestKey(profileId)) ?? '{}') as Preferences;

/** What the profile prefers that requests act as. */
const askPreferences = () => call('get', '/api/profiles/{id}/preferences', { path: { id: 'me' } });

async function readPreferences(asked = askPreferences()): Promise<void> {
  const id = viewer.value?.profileId;
  let found: Preferences = {};
  let needsPin = false;
  if (id !== undefined)
    try {
      found = (await asked).preferences;
      if (!isUser.value) found = { ...found, ...guestPreferences(id) };
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
  keepLook();
}

/** The next document begins with the look of this one. */
function keepLook(): void {
  const root = document.documentElement;
  const look = lookAttributes.map((name) => [name, root.getAttribute(name)]);
  localStorage.setItem(lookKey, JSON.stringify(Object.fromEntries(look)));
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

/** Asks who is signed in and what is preferred, as that profile. */
function askAll(id?: string) {
  setProfile(id);
  const who = Promise.all([call('get', '/api/auth/me'), call('get', '/api/profiles')]);
  const preferred = askPreferences();
  preferred.catch(() => {});
  return { who, preferred };
}

/**
 * Reads who is signed in; `false` = nobody is. It asks for everything at once, as the profile that
 * was used last: on a slow network each answer that waits for another is seen.
 */
export async function startSession(): Promise<boolean> {
  const last = localStorage.getItem(lastProfileKey) ?? undefined;
  let preferred;
  try {
    let asked = askAll(last);
    const [me, { profiles: all }] = await asked.who.catch((error: unknown) => {
      // Another person is signed in, who has no such profile.
      if (last === undefined || !(error instanceof Refusal) || error.status !== 404) throw error;
      asked = askAll();
      return asked.who;
    });
    ({ preferred } = asked);
    setCsrfToken(me.csrfToken);
    profiles.value = all;
    viewer.value = me;
    const kept = localStorage.getItem(profileKey(me.user.id));
    if (kept !== null && kept !== me.profileId && all.some(({ id }) => id === kept)) {
      setProfile(kept);
      viewer.value = await call('get', '/api/auth/me');
      preferred = askPreferences();
      forgetAll();
    }
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      // The next document begins without the frame of the app.
      for (const key of [lastProfileKey, signedInKey, userKey]) localStorage.removeItem(key);
      return false;
    }
    throw error;
  }
  localStorage.setItem(userKey, viewer.value.user.id);
  await readPreferences(preferred);
  localStorage.setItem(lastProfileKey, viewer.value.profileId);
  // The profile says the same from now on.
  localStorage.removeItem(signedInKey);
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
  localStorage.setItem(lastProfileKey, id);
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
  if (isUser.value) await call('put', '/api/profiles/{id}/preferences', { path: { id }, body });
  else localStorage.setItem(guestKey(id), JSON.stringify({ ...guestPreferences(id), ...body }));
  await readPreferences();
  // Titles and summaries are in another language now.
  if (Object.hasOwn(changes, 'locale')) forgetAll();
}
