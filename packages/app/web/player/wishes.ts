/** What the profile prefers of sound and subtitles. */
import { preferences } from '../core/session.ts';
import type { SessionTrack } from './requests.ts';
import { preferredText } from './tracks.ts';

const textOr = (key: string): readonly string[] => {
  const value = preferences.value[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};

const modes = ['off', 'forced', 'auto', 'always'] as const;

/** The languages of sound that the profile prefers. */
export const soundLanguages = (): readonly string[] => textOr('audioLanguages');

/** The subtitle that the profile prefers for the tracks of a session. */
export function textFor(tracks: readonly SessionTrack[]): SessionTrack | null {
  const mode = modes.find((one) => one === preferences.value['subtitleMode']) ?? 'auto';
  const languages = textOr('subtitleLanguages');
  return preferredText(tracks, { mode, languages, understood: soundLanguages() });
}
