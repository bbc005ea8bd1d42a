/** Plays in an element of the page: files by their address, playlists by hls.js or by the browser. */
import type Hls from 'hls.js';
import { loadPart } from '../core/part.ts';
import { segmentSource } from './capabilities.ts';
import { askFirst, loadersOver } from './first-answers.ts';
import type { Decoded, Fault, Media, MediaEvents, Source } from './media.ts';
import { quickStart } from './quick-start.ts';

/** What only some browsers tell of an element. */
interface Counters {
  readonly webkitAudioDecodedByteCount?: number;
  readonly mozHasAudio?: boolean;
}

/** The fault behind a status of the server; `undefined` = it says nothing. */
const faultOfStatus = (status: number | undefined): Fault | undefined =>
  status === 412
    ? 'changed'
    : status === 422
      ? 'data'
      : status === 401 || status === 403 || status === 404 || status === 410
        ? 'gone'
        : undefined;

/** Why an address does not play: asks the server for its first byte. */
async function faultOfAddress(url: string): Promise<Fault> {
  try {
    const { status, body } = await fetch(url, { headers: { range: 'bytes=0-0' } });
    await body?.cancel();
    return faultOfStatus(status) ?? (status >= 500 ? 'network' : 'data');
  } catch {
    return 'network';
  }
}

/** One element, and what is loaded in it. */
interface Deck {
  readonly element: HTMLMediaElement;
  hls: Hls | undefined;
  url: string | undefined;
  isLoading: boolean;
  /** hls.js gives it its data again. */
  isRecovering: boolean;
  /** Gives up waiting for what was loaded last. */
  forget: () => void;
  /** Lets go of first answers that nobody took. */
  dropFirst: () => void;
}

const ended = (deck: Deck): boolean => deck.element.ended;

/**
 * Creates it over one element, or over two that take turns, so that what follows is ready in the
 * other one.
 */
export function createMediaElement(
  elements: readonly [HTMLMediaElement, ...HTMLMediaElement[]],
): Media & { readonly element: () => HTMLMediaElement } {
  const decks = elements.map((element): Deck => ({
    element,
    hls: undefined,
    url: undefined,
    isLoading: false,
    isRecovering: false,
    forget: () => {},
    dropFirst: () => {},
  })) as [Deck, ...Deck[]];
  let [deck] = decks;
  let events: MediaEvents | undefined;

  function unload(one: Deck): void {
    one.forget();
    one.dropFirst();
    one.hls?.destroy();
    one.hls = undefined;
    one.url = undefined;
    one.element.removeAttribute('src');
    one.element.load();
  }

  async function loadPlaylist(one: Deck, source: Source): Promise<void> {
    // What it asks for comes while it is loaded itself.
    const first = askFirst(source.first, source.firstUrl);
    one.dropFirst = first.drop;
    const { default: Player } = await loadPart(() => import('hls.js'));
    if (one.url !== source.url) return;
    const { config, settle } = quickStart(Player);
    one.element.addEventListener('canplay', settle, { once: true });
    const hls = new Player({
      ...config,
      ...loadersOver(first, Player),
      enableWorker: false,
      // Else it begins to load at its next look around, up to 100 ms after the element is there.
      startFragPrefetch: true,
      startPosition: source.at,
      backBufferLength: 60,
      enableWebVTT: false,
      enableIMSC1: false,
      enableCEA708Captions: false,
    });
    one.hls = hls;
    let hasRecovered = false;
    hls.on(Player.Events.MANIFEST_PARSED, () => {
      // The picture that the server chose, and not one that it would have to convert.
      hls.startLevel = hls.firstLevel;
      if (source.sound !== undefined) selectIn(hls, source.sound);
    });
    hls.on(Player.Events.ERROR, (_name, { fatal, type, details, response }) => {
      if (one.hls !== hls) return;
      const isFull = details === Player.ErrorDetails.BUFFER_FULL_ERROR;
      const fault = faultOfStatus(response?.code) ?? (fatal && isFull ? 'memory' : undefined);
      if (fault === undefined && !fatal) return;
      if (fault === undefined && type === Player.ErrorTypes.MEDIA_ERROR && !hasRecovered) {
        hasRecovered = true;
        recover(one, hls);
        return;
      }
      const isNetwork = type === Player.ErrorTypes.NETWORK_ERROR;
      one.hls = undefined;
      hls.destroy();
      if (one === deck) events?.failed(fault ?? (isNetwork ? 'network' : 'data'));
    });
    hls.loadSource(source.url);
    hls.attachMedia(one.element);
  }

  /** Resolves when the length is known, or when something else is loaded. */
  function begin(one: Deck, source: Source): Promise<void> {
    unload(one);
    const { element } = one;
    [one.url, one.isLoading] = [source.url, true];
    const isThere = new Promise<void>((resolve) => {
      const done = (): void => {
        if (one.url === source.url) one.isLoading = false;
        resolve();
      };
      element.addEventListener('loadedmetadata', done, { once: true });
      one.forget = () => {
        element.removeEventListener('loadedmetadata', done);
        resolve();
      };
    });
    if (source.kind === 'hls' && segmentSource() !== undefined) {
      void loadPlaylist(one, source);
      return isThere;
    }
    element.src = source.url;
    return isThere.then(() => {
      if (source.at > 0 && one.url === source.url) element.currentTime = source.at;
    });
  }

  function follow(one: Deck): void {
    const { element } = one;
    const hear = (name: string, tell: (told: MediaEvents) => void): void =>
      element.addEventListener(name, () => {
        if (one === deck && one.url !== undefined && events !== undefined) tell(events);
      });
    hear('timeupdate', (told) => told.time(element.currentTime));
    hear('seeked', (told) => told.time(element.currentTime));
    hear('durationchange', (told) => told.length(element.duration));
    hear('progress', (told) => {
      const ranges = element.buffered;
      const all = Array.from({ length: ranges.length }, (_, at) => at);
      told.buffered(all.map((at) => [ranges.start(at), ranges.end(at)] as const));
    });
    element.addEventListener('playing', () => one.dropFirst());
    hear('playing', (told) => told.playing());
    hear('waiting', (told) => told.waiting());
    hear('canplay', (told) => told.ready());
    hear('pause', (told) => {
      // What fails pauses too, which nobody asked for.
      if (!one.isLoading && !one.isRecovering && !ended(one) && element.error === null)
        told.paused();
    });
    hear('ended', (told) => told.ended());
    hear('error', (told) => {
      const { url } = one;
      if (url === undefined || one.hls !== undefined || element.error === null) return;
      void faultOfAddress(url).then((fault) => {
        if (one.url === url) told.failed(fault);
      });
    });
  }
  for (const one of decks) follow(one);

  return {
    element: () => deck.element,
    listen: (wanted) => (events = wanted),
    load: async (source) => {
      const ready = decks.find((one) => one !== deck && one.url === source.url);
      if (ready === undefined || source.at > 0) return begin(deck, source);
      const old = deck;
      ready.element.volume = old.element.volume;
      ready.element.muted = old.element.muted;
      deck = ready;
      unload(old);
      events?.length(deck.element.duration);
    },
    preload: (source) => {
      const other = decks.find((one) => one !== deck);
      if (other !== undefined) void begin(other, source);
    },
    play: async () => {
      const { element, url } = deck;
      try {
        await element.play();
      } catch (error) {
        // A failure is told as such, and what is loaded next plays by itself.
        if (element.error === null && deck.url === url && !deck.isRecovering) throw error;
      }
    },
    pause: () => deck.element.pause(),
    seek: (at) => (deck.element.currentTime = at),
    setRate: (rate) => {
      deck.element.defaultPlaybackRate = rate;
      deck.element.playbackRate = rate;
    },
    selectSound: (id) => deck.hls !== undefined && selectIn(deck.hls, id),
    decoded: () => decodedOf(deck.element),
    clear: () => {
      for (const one of decks) unload(one);
    },
  };
}

/** Lets hls.js begin again with the element, which pauses it; it plays on if it played. */
function recover(deck: Deck, hls: Hls): void {
  const { element } = deck;
  const isPlaying = !element.paused;
  deck.isRecovering = true;
  hls.recoverMediaError();
  const played = isPlaying ? element.play() : Promise.resolve();
  void played.catch(() => {}).finally(() => (deck.isRecovering = false));
}

/** The address of a sound has the id of its track. */
function selectIn(hls: Hls, id: string): boolean {
  const at = hls.audioTracks.findIndex(({ url }) => url.includes(`/${encodeURIComponent(id)}/`));
  if (at === -1) return false;
  if (hls.audioTrack !== at) hls.audioTrack = at;
  return true;
}

function decodedOf(element: HTMLMediaElement): Decoded {
  const { webkitAudioDecodedByteCount: bytes, mozHasAudio } = element as Counters;
  const isVideo = element instanceof HTMLVideoElement;
  // A hidden page does not draw.
  const frames =
    !isVideo || document.hidden
      ? null
      : element.videoWidth > 0 && element.getVideoPlaybackQuality().totalVideoFrames > 0;
  return { picture: frames, sound: bytes === undefined ? (mozHasAudio ?? null) : bytes > 0 };
}
