/**
 * hls.js checks ten times a second whether there is something to load. These waits are most of the time
 * until the first picture, so it checks more often until then.
 */
import type Hls from 'hls.js';
import type { HlsConfig } from 'hls.js';

/** Milliseconds between two checks until there is a picture. */
const startMs = 10;

/** A configuration for one player, and what ends its start. */
export interface QuickStart {
  readonly config: Partial<HlsConfig>;
  /** It checks at its own rate from now on. */
  readonly settle: () => void;
}

/** What checks for work at an interval. */
interface Loop {
  readonly setInterval: (ms: number) => boolean;
  /** Whether there was an interval. */
  readonly clearInterval: () => boolean;
}

/** Controllers of hls.js that check often until `settle` is called. */
export function quickStart({ DefaultConfig }: Pick<typeof Hls, 'DefaultConfig'>): QuickStart {
  const { streamController: Stream, audioStreamController: AudioStream } = DefaultConfig;
  /** The loops that check often, and the interval that each asked for. */
  const often = new Map<Loop, number>();
  let isSettled = false;

  function interval(loop: Loop, ms: number): number {
    if (isSettled) return ms;
    often.set(loop, ms);
    return startMs;
  }

  class QuickStream extends Stream {
    override setInterval(ms: number): boolean {
      return super.setInterval(interval(this, ms));
    }
  }
  const config: Partial<HlsConfig> = { streamController: QuickStream };
  if (AudioStream !== undefined) {
    config.audioStreamController = class extends AudioStream {
      override setInterval(ms: number): boolean {
        return super.setInterval(interval(this, ms));
      }
    };
  }

  return {
    config,
    settle: () => {
      isSettled = true;
      for (const [loop, ms] of often) if (loop.clearInterval()) loop.setInterval(ms);
      often.clear();
    },
  };
}
