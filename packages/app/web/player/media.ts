/** What a player needs of the thing that shows pictures and makes sound. */

/** What is to be played. */
export interface Source {
  readonly url: string;
  readonly kind: 'file' | 'hls';
  /** Where to begin, in seconds. */
  readonly at: number;
  /** What a playlist leads to first. */
  readonly first: readonly string[];
  /** One answer with all of these. */
  readonly firstUrl: string | null;
  /** The id of the sound that was chosen. */
  readonly sound: string | undefined;
}

/**
 * Why media stopped by themselves: the file changed, the session is gone, the way to the server, the data, or
 * the memory of the device, which is full.
 */
export type Fault = 'changed' | 'gone' | 'network' | 'data' | 'memory';

/** Whether anything was decoded; `null` = the browser does not say. */
export interface Decoded {
  readonly picture: boolean | null;
  readonly sound: boolean | null;
}

/** What media tell. Times are those of the source. */
export interface MediaEvents {
  readonly time: (at: number) => void;
  readonly length: (seconds: number) => void;
  readonly buffered: (ranges: readonly (readonly [number, number])[]) => void;
  readonly playing: () => void;
  readonly paused: () => void;
  readonly waiting: () => void;
  /** The picture of the place is there, also where nothing plays. */
  readonly ready: () => void;
  readonly ended: () => void;
  readonly failed: (fault: Fault) => void;
}

export interface Media {
  /** Tells `events` from now on. */
  readonly listen: (events: MediaEvents) => void;
  readonly load: (source: Source) => Promise<void>;
  /** Makes a source ready that is played next. */
  readonly preload: (source: Source) => void;
  /** Rejects if the browser wants a press of a button first. */
  readonly play: () => Promise<void>;
  readonly pause: () => void;
  readonly seek: (at: number) => void;
  readonly setRate: (rate: number) => void;
  /** Changes the sound of what is loaded; `false` = it must be loaded again. */
  readonly selectSound: (trackId: string) => boolean;
  readonly decoded: () => Decoded;
  /** Lets go of the source. */
  readonly clear: () => void;
}
