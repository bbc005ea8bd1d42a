/** What keys do in the player of videos, as people know them from other players. */

/** What a key does. */
export type KeyAction =
  | {
      readonly kind:
        | 'toggle'
        | 'mute'
        | 'fullscreen'
        | 'subtitles'
        | 'help'
        | 'next'
        | 'pip'
        | 'repeat';
    }
  | { readonly kind: 'press' | 'close' }
  | { readonly kind: 'skip' | 'frame' | 'volume' | 'speed'; readonly by: number }
  | { readonly kind: 'share'; readonly of: number };

/** Where the focus is: on the picture, the seek bar, a button, or a field of a menu. */
export type Focus = 'picture' | 'seek' | 'control' | 'field';

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
}

const everywhere: Readonly<Record<string, KeyAction>> = {
  k: { kind: 'toggle' },
  j: { kind: 'skip', by: -10 },
  l: { kind: 'skip', by: 10 },
  f: { kind: 'fullscreen' },
  m: { kind: 'mute' },
  c: { kind: 'subtitles' },
  i: { kind: 'pip' },
  r: { kind: 'repeat' },
  ',': { kind: 'frame', by: -1 },
  '.': { kind: 'frame', by: 1 },
  '<': { kind: 'speed', by: -0.25 },
  '>': { kind: 'speed', by: 0.25 },
  '?': { kind: 'help' },
  N: { kind: 'next' },
  Escape: { kind: 'close' },
  MediaPlayPause: { kind: 'toggle' },
  MediaFastForward: { kind: 'skip', by: 10 },
  MediaRewind: { kind: 'skip', by: -10 },
  MediaTrackNext: { kind: 'next' },
};

/** Keys that buttons need for themselves. */
const onPicture: Readonly<Record<string, KeyAction>> = {
  Enter: { kind: 'press' },
  ArrowUp: { kind: 'volume', by: 0.05 },
  ArrowDown: { kind: 'volume', by: -0.05 },
};
const onBar: Readonly<Record<string, KeyAction>> = {
  ' ': { kind: 'toggle' },
  ArrowLeft: { kind: 'skip', by: -5 },
  ArrowRight: { kind: 'skip', by: 5 },
  Home: { kind: 'share', of: 0 },
  End: { kind: 'share', of: 1 },
};

/** What a key does at this focus; `undefined` = it is not for the player. */
export function actionOf({ key }: Key, focus: Focus): KeyAction | undefined {
  if (focus === 'field') return key === 'Escape' ? everywhere[key] : undefined;
  if (/^\d$/.test(key)) return { kind: 'share', of: Number(key) / 10 };
  const own = focus === 'control' ? undefined : onBar[key];
  return own ?? (focus === 'picture' ? onPicture[key] : undefined) ?? everywhere[key];
}
