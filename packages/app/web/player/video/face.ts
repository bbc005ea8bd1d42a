/** What the page of a video shows beside the video: menus, subtitles, what comes next. */
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { go } from '../../core/router.ts';
import { prefer, preferences } from '../../core/session.ts';
import { captionLookOf, lookKeys, type CaptionLook } from './caption-look.ts';
import type { nextOf } from '../next-episode.ts';
import type { Player } from '../player-state.ts';
import type { SessionTrack } from '../requests.ts';
import { chapterAt, chaptersOf, textsOf, type LineChapter } from '../tracks.ts';
import { textFor } from '../wishes.ts';

/** A menu of the player. */
export type MenuName = 'subtitles' | 'sound' | 'quality' | 'speed' | 'chapters';

/** A part of the line, in seconds. */
export interface Repeated {
  readonly from: number;
  readonly to: number | null;
}

/** What the next press makes of a repeated part, at a position. */
export function nextRepeated(now: Repeated | null, position: number): Repeated | null {
  if (now === null) return { from: position, to: null };
  if (now.to !== null || position <= now.from) return null;
  return { from: now.from, to: position };
}

type NextItem = Awaited<ReturnType<typeof nextOf>>;

/** The state of the page of a video. */
export interface VideoFace {
  readonly player: Player;
  readonly menu: Signal<MenuName | null>;
  /** The subtitle that is shown. */
  readonly text: Signal<SessionTrack | null>;
  /** A second subtitle that is shown at the same time, as plain text. */
  readonly secondText: Signal<SessionTrack | null>;
  readonly captionLook: ReadonlySignal<CaptionLook>;
  readonly chapters: ReadonlySignal<readonly LineChapter[]>;
  readonly chapter: ReadonlySignal<LineChapter | undefined>;
  readonly next: Signal<NextItem>;
  /** Whether the next episode was refused by a person. */
  readonly isNextRefused: Signal<boolean>;
  readonly helps: Signal<boolean>;
  /** The part that plays again and again; without an end until one is set. */
  readonly repeated: ReadonlySignal<Repeated | null>;
  /** Sets the start of that part here, then its end, then ends the repeating. */
  readonly repeatPart: () => void;
  readonly setCaptionLook: (changes: Partial<CaptionLook>) => void;
  /** Whether subtitles of ASS have the styles of their script. */
  readonly isStyled: ReadonlySignal<boolean>;
  readonly setStyled: (isStyled: boolean) => void;
  readonly openMenu: (name: MenuName) => void;
  readonly closeMenu: () => void;
  readonly playNext: () => void;
  readonly toggleText: () => void;
}

const styleKey = 'vitrine.web:plainText';
/** Creates it for a player. */
export function createFace(player: Player): VideoFace {
  const menu = signal<MenuName | null>(null);
  const text = signal<SessionTrack | null>(null);
  const secondText = signal<SessionTrack | null>(null);
  const next = signal<NextItem>(undefined);
  const repeated = signal<Repeated | null>(null);
  let opener: Element | null = null;
  let lastText: string | undefined;
  const chapters = computed(() => {
    const item = player.item.value;
    return item === null ? [] : chaptersOf(item, player.parts.value);
  });
  const closeMenu = (): void => {
    menu.value = null;
    if (opener instanceof HTMLElement) opener.focus();
  };
  return {
    player,
    menu,
    text,
    secondText,
    next,
    chapters,
    repeated,
    closeMenu,
    repeatPart: () => (repeated.value = nextRepeated(repeated.peek(), player.position.peek())),
    captionLook: computed(() => captionLookOf(preferences.value)),
    chapter: computed(() => chapterAt(chapters.value, player.position.value)),
    isNextRefused: signal(false),
    helps: signal(false),
    setCaptionLook: (changes) =>
      void prefer(
        Object.fromEntries(
          Object.entries(changes).map(([name, value]) => [
            lookKeys[name as keyof CaptionLook],
            value,
          ]),
        ),
      ).catch(() => {}),
    isStyled: computed(() => preferences.value[styleKey] !== true),
    setStyled: (isStyled) => void prefer({ [styleKey]: isStyled ? null : true }).catch(() => {}),
    openMenu: (name) => {
      if (menu.peek() === name) {
        closeMenu();
        return;
      }
      if (menu.peek() === null) opener = document.activeElement;
      menu.value = name;
    },
    playNext: () => {
      const following = next.peek();
      if (following !== undefined) void go(`/watch/${following.id}?from=0`, { replace: true });
    },
    toggleText: () => {
      const tracks = player.session.peek()?.tracks ?? [];
      if (text.peek() !== null) {
        lastText = text.peek()?.id;
        text.value = null;
        return;
      }
      text.value =
        tracks.find(({ id }) => id === lastText) ?? textFor(tracks) ?? textsOf(tracks)[0] ?? null;
    },
  };
}
