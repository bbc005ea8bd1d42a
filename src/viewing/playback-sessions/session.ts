import type {
  AudioRecipe,
  PlaybackReason,
  TranscodeTrack,
  VideoRecipe,
} from '../../../plugin-api/index.ts';
import type { Role } from '../../people/viewer/index.ts';
import type { KnownClient } from './client.ts';
import type { PlayableFile } from './playable-file.ts';
import type { GivenClient, PlayTrack } from '../../contract/resources/viewing/playback-sessions.ts';

/** How a session is played as a whole. */
export type PlayMode = 'direct' | 'remux' | 'convert';

/** What a client may force. */
export type WantedMode = 'auto' | PlayMode;

/** How one track is played. */
export type PlayWay = 'direct' | 'copy' | 'convert' | 'refuse';

/** One way to get the segments of a track. */
export type Quality =
  | { readonly name: 'copy'; readonly track: TranscodeTrack }
  | { readonly name: string; readonly video: VideoRecipe }
  | { readonly name: string; readonly audio: AudioRecipe };

export interface SessionTrack {
  readonly track: PlayTrack;
  /** Index of the stream; `null` for a text beside the file. */
  readonly stream: number | null;
  readonly way: PlayWay;
  readonly reasons: readonly PlaybackReason[];
  /** Whether it is a subtitle of pictures that the client draws. */
  readonly isDrawn?: boolean;
  /** The best first; empty where nothing is sent in segments. */
  readonly qualities: readonly Quality[];
}

/** What was chosen to play. */
export interface Selection {
  /** Ids of tracks; `null` = none. */
  readonly video: string | null;
  readonly audio: string | null;
  readonly subtitle: string | null;
}

/** How a selection is played. */
export interface Decided {
  readonly mode: PlayMode;
  readonly tracks: readonly SessionTrack[];
  readonly reasons: readonly PlaybackReason[];
}

/** One playing of one file by one profile. */
export interface Session {
  readonly id: string;
  readonly token: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: string;
  readonly credentialId: string;
  readonly userId: string;
  readonly profileId: string;
  /** With which it was begun; a change of rights ends the session. */
  readonly role: Role;
  /** Whether it was begun with hidden things shown. */
  readonly showsHidden: boolean;
  /** As it was when the session began; its index grows while the file is walked. */
  file: PlayableFile;
  readonly wantedMode: WantedMode;
  given: GivenClient;
  client: KnownClient;
  selection: Selection;
  decided: Decided;
  state: 'playing' | 'paused';
  /** Seconds. */
  position: number;
  /** Monotonic milliseconds. */
  lastSeenAt: number;
  /** What was told of it in events; `null` = nothing yet. */
  told: { progress: number; at: number } | null;
}
