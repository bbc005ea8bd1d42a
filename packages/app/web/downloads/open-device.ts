/** Without the server, the person is the one who was in last. */
import { Refusal } from '../core/api.ts';
import { isOnline } from '../core/live.ts';
import { chooseLanguage } from '../core/messages.ts';
import { applyTheme, openedProfileId, preferences, profiles, viewer } from '../core/session.ts';
import { lastOpened } from './device.ts';
import type { Opened } from './kept-store.ts';

function beAs({ viewer: me, profile, preferences: preferred }: Opened): void {
  profiles.value = [profile];
  viewer.value = me;
  preferences.value = preferred;
  openedProfileId.value = me.profileId;
  applyTheme();
}

/** Opens the device after `error`; `false` = the server answered, or nothing is kept for anybody. */
export async function openDevice(error: unknown): Promise<boolean> {
  if (!(error instanceof Refusal) || ![0, 502, 504].includes(error.status)) return false;
  const opened = await lastOpened();
  if (opened === undefined) return false;
  beAs(opened);
  isOnline.value = false;
  const { locale } = opened.preferences;
  const wanted = typeof locale === 'string' ? [locale] : [];
  await chooseLanguage([...wanted, ...navigator.languages]);
  return true;
}
