/** What a player shows and does. */
import type { ReadonlySignal } from '@preact/signals';
import type { TestFile } from './capabilities.ts';
import type { Media } from './media.ts';
import type { Problem } from './problems.ts';
import type { Item, PlaybackFile, PlayerRequests, Session } from './requests.ts';
import type { Part } from './timeline.ts';

/** Why a conversion was asked for: nothing was decoded of the picture or the sound, or the data did not decode. */
export type Missed = 'picture' | 'sound' | 'data';

/** What a player shows. Times are seconds on the line of the item. */
export interface PlayerState {
  readonly item: ReadonlySignal<Item | null>;
  readonly parts: ReadonlySignal<readonly Part[]>;
  readonly partIndex: ReadonlySignal<number>;
  readonly file: ReadonlySignal<PlaybackFile | null>;
  readonly session: ReadonlySignal<Session | null>;
  readonly status: ReadonlySignal<'empty' | 'loading' | 'ready' | 'refused' | 'ended'>;
  readonly isPlaying: ReadonlySignal<boolean>;
  readonly isWaiting: ReadonlySignal<boolean>;
  readonly position: ReadonlySignal<number>;
  readonly duration: ReadonlySignal<number>;
  readonly buffered: ReadonlySignal<readonly (readonly [number, number])[]>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly missed: ReadonlySignal<Missed | null>;
  /** The height of the smaller picture that plays since the server converts too slowly. */
  readonly lowered: ReadonlySignal<number | null>;
  readonly rate: ReadonlySignal<number>;
  readonly maxKbps: ReadonlySignal<number | null>;
}

/** How an item is opened. */
export interface Opening {
  /** Seconds on its line; absent = where the profile left it. */
  readonly from?: number | undefined;
  readonly fileId?: string | undefined;
  /** Whether it begins to play; else it waits. */
  readonly plays?: boolean;
}

export interface Player extends PlayerState {
  readonly open: (itemId: string, opening?: Opening) => Promise<void>;
  readonly play: () => void;
  readonly pause: () => void;
  readonly toggle: () => void;
  readonly seek: (position: number) => void;
  readonly setRate: (rate: number) => void;
  readonly chooseSound: (trackId: string) => Promise<void>;
  /** Has the server draw this subtitle into the film; `null` = none. */
  readonly drawSubtitle: (trackId: string | null) => Promise<void>;
  readonly chooseQuality: (maxKbps: number | null) => Promise<void>;
  /** Plays it again from where it stands, converted if `mode` says so. */
  readonly again: (mode?: 'auto' | 'convert') => Promise<void>;
  /** Makes the item ready that is opened next, so that it follows without a gap. */
  readonly prepare: (itemId: string) => Promise<void>;
  /** Ends the session. */
  readonly close: () => void;
  /** Says where it is while the page goes away, and ends the session unless the page may come back. */
  readonly leave: (mayReturn: boolean) => void;
}

export interface PlayerParts {
  readonly media: Media;
  readonly requests: PlayerRequests;
  readonly test: TestFile;
  /** The languages of sound that the profile prefers. */
  readonly soundLanguages: () => readonly string[];
  readonly onEnded?: () => void;
}
