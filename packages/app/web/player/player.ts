/**
 * One player: an item with its parts as one line of time, the session of the part that plays, and
 * its tracks. It knows no page; what shows and sounds is a {@link Media}.
 */
import { batch, computed, signal } from '@preact/signals';
import { Refusal } from '../core/api.ts';
import { createBegin, type Mode } from './begin.ts';
import type { Fault } from './media.ts';
import type { Missed, Opening, Player, PlayerParts } from './player-state.ts';
import { problemOf, type Problem } from './problems.ts';
import { createReports } from './reports.ts';
import {
  pathOf,
  type Item,
  type PlaybackFile,
  type Session,
  type SessionChange,
} from './requests.ts';
import { isAudiobook, lengthOf, partsOf, placeOf, withDuration, type Part } from './timeline.ts';
import { watchDecoding } from './watchdog.ts';

/** What was read of an item and begun, to be loaded. */
interface Prepared {
  readonly item: Item;
  readonly parts: readonly Part[];
  readonly files: readonly PlaybackFile[];
  readonly session: Session;
  readonly fileOfSession: PlaybackFile;
}

/** More starts over than this at one place are a failure: a file that grows starts over as it plays. */
const mostRestarts = 3;
/** Seconds that are another place. */
const movedOn = 2;

/** What is said when it starts over in vain: the code of a refusal. */
const codesInVain = {
  changed: 'file_changed',
  gone: 'session_lost',
  network: 'connection_lost',
  data: 'undecodable',
} as const;

export function createPlayer(given: PlayerParts): Player {
  const { media, requests } = given;
  const { infoOf, begin } = createBegin(given);
  const item = signal<Item | null>(null);
  const parts = signal<readonly Part[]>([]);
  const partIndex = signal(0);
  const file = signal<PlaybackFile | null>(null);
  const session = signal<Session | null>(null);
  const status = signal<'empty' | 'loading' | 'ready' | 'refused' | 'ended'>('empty');
  const isPlaying = signal(false);
  const isWaiting = signal(false);
  const position = signal(0);
  const buffered = signal<readonly (readonly [number, number])[]>([]);
  const problem = signal<Problem | null>(null);
  const missed = signal<Missed | null>(null);
  const lowered = signal<number | null>(null);
  const rate = signal(1);
  const maxKbps = signal<number | null>(null);
  const duration = computed(() => lengthOf(parts.value));

  /** Increases with each thing that is opened: an answer to an older question is dropped. */
  let serial = 0;
  let infos: readonly PlaybackFile[] = [];
  let mode: Mode = 'auto';
  let sound: string | undefined;
  /** The subtitle that the server draws into the film. */
  let drawn: string | null = null;
  let restarts = 0;
  let restartedAt = 0;
  /** What the server offered, in kilobits a second. */
  let offeredKbps: number | null = null;
  let prepared: Prepared | undefined;

  const startOfPart = (): number => parts.value[partIndex.value]?.start ?? 0;
  const atInPart = (): number => Math.max(0, position.value - startOfPart());

  const reports = createReports({
    requests,
    now: () => ({ position: atInPart(), state: isPlaying.peek() ? 'playing' : 'paused' }),
    heard: obey,
    lost: (refusal) => (isGivenAway(refusal) ? giveUp(refusal) : void restart('gone')),
  });
  const watchdog = watchDecoding(media, (what) => {
    missed.value = what;
    mode = 'convert';
    void start(partIndex.value, atInPart());
  });

  /** The other failures are said; these are mended by another session at the same place. */
  async function restart(why: keyof typeof codesInVain): Promise<void> {
    if (Math.abs(position.peek() - restartedAt) > movedOn) restarts = 0;
    restartedAt = position.peek();
    restarts += 1;
    if (restarts > mostRestarts) fail(new Refusal(0, '', { code: codesInVain[why] }));
    else await start(partIndex.value, atInPart());
  }

  /** Says that another session has the place: to begin again would be refused, or take it back. */
  function giveUp(refusal: Refusal): void {
    void endSession();
    fail(refusal);
  }

  /** The server does not have what plays any longer: asks why before it begins again. */
  async function missing(lost: Session): Promise<void> {
    const mine = serial;
    const refusal: unknown = await requests.change(lost.id, {}).catch((error: unknown) => error);
    if (mine !== serial) return;
    if (isGivenAway(refusal)) giveUp(refusal);
    else await restart('gone');
  }

  /** Plays the smaller picture that the server offers while it converts too slowly. */
  function obey({ id, offer }: Session): void {
    if (offer === null || id !== session.peek()?.id || status.peek() !== 'ready') return;
    offeredKbps = offer.maxKbps;
    lowered.value = offer.height;
    void start(partIndex.peek(), atInPart());
  }

  function forgetOffer(): void {
    offeredKbps = null;
    lowered.value = null;
  }

  function fail(error: unknown): void {
    batch(() => {
      problem.value = problemOf(error, mode);
      status.value = 'refused';
      isPlaying.value = false;
      isWaiting.value = false;
    });
    watchdog.stop();
    media.pause();
  }

  /** Ends the session, after a last report if there is one to make. Resolves when the server knows. */
  async function endSession(last?: SessionChange): Promise<void> {
    watchdog.stop();
    const old = session.peek();
    session.value = null;
    const isTold = reports.stop(last);
    if (old !== null) await isTold.then(() => requests.end(old.id)).catch(() => {});
  }

  /** Loads a begun session and plays it. */
  async function show(index: number, at: number, info: PlaybackFile, one: Session): Promise<void> {
    const mine = serial;
    batch(() => {
      partIndex.value = index;
      file.value = info;
      session.value = one;
      position.value = startOfPart() + at;
      buffered.value = [];
      isWaiting.value = true;
    });
    reports.start(one.id);
    await media.load(sourceOf(one, at));
    if (mine !== serial) return;
    media.setRate(rate.peek());
    status.value = 'ready';
    if (isPlaying.peek()) await press();
    else isWaiting.value = false;
    if (mine === serial) watchdog.start(one, () => position.peek());
  }

  /** Starts a part of the open item. */
  async function start(index: number, at: number): Promise<void> {
    const mine = ++serial;
    const now = item.peek();
    const part = parts.peek()[index];
    if (now === null || part === undefined) return;
    // A session that is still there counts against the limits of the server.
    const isOver = endSession();
    batch(() => {
      problem.value = null;
      status.value = 'loading';
      partIndex.value = index;
      position.value = part.start + at;
      isWaiting.value = true;
    });
    try {
      const info = await infoOf(now.id, part.fileId, infos);
      if (mine !== serial) return;
      if (info === undefined) throw new Refusal(404, '', { code: 'not_found' });
      await isOver;
      if (mine !== serial) return;
      const one = await begin(now.id, info, {
        at,
        sound,
        mode,
        maxKbps: wantedKbps(),
        drawn: drawn ?? undefined,
      });
      if (mine !== serial) return void requests.end(one.id).catch(() => {});
      await show(index, at, info, one);
    } catch (error) {
      if (mine === serial) fail(error);
    }
  }

  /** What the person chose, or less if the server offered less; `null` = no limit. */
  const wantedKbps = (): number | null => {
    const limits = [maxKbps.peek(), offeredKbps].filter((limit) => limit !== null);
    return limits.length === 0 ? null : Math.min(...limits);
  };

  async function press(): Promise<void> {
    try {
      await media.play();
    } catch {
      // The browser wants a press first, or the source was changed meanwhile.
      isPlaying.value = false;
      isWaiting.value = false;
    }
  }

  async function read(itemId: string, fileId: string | undefined) {
    const [one, files] = await Promise.all([requests.item(itemId), requests.files(itemId, fileId)]);
    return { one, files, line: partsOf(one.files, { fileId, isAudiobook: isAudiobook(one) }) };
  }

  const isPast = (at: number): boolean => duration.peek() > 0 && at >= duration.peek() - 1;

  async function open(itemId: string, opening: Opening = {}): Promise<void> {
    const ready = prepared?.item.id === itemId && opening.from === 0 ? prepared : undefined;
    if (ready === undefined) dropPrepared();
    prepared = undefined;
    const mine = ++serial;
    void endSession();
    [mode, sound, drawn, restarts] = ['auto', undefined, null, 0];
    batch(() => {
      isPlaying.value = opening.plays !== false;
      problem.value = null;
      missed.value = null;
      forgetOffer();
      if (ready === undefined) {
        item.value = null;
        status.value = 'loading';
      }
    });
    try {
      if (ready !== undefined) {
        infos = ready.files;
        batch(() => {
          item.value = ready.item;
          parts.value = ready.parts;
        });
        await show(0, 0, ready.fileOfSession, ready.session);
        return;
      }
      const { one, files, line } = await read(itemId, opening.fileId);
      if (mine !== serial) return;
      infos = files;
      batch(() => {
        item.value = one;
        parts.value = line;
      });
      if (line.length === 0) throw new Refusal(404, '', { code: 'not_found' });
      const isExtra = one.files.some(
        ({ id, classification }) => id === line[0]?.fileId && classification !== 'primary',
      );
      const named = line.find(({ fileId }) => fileId === opening.fileId)?.start ?? 0;
      const kept =
        named > 0 ? named : isExtra || one.playback.completed ? 0 : one.playback.position;
      const from = opening.from ?? kept;
      const place = placeOf(line, isPast(from) ? 0 : from);
      await start(place.index, place.at);
    } catch (error) {
      if (mine === serial) fail(error);
    }
  }

  function dropPrepared(): void {
    if (prepared !== undefined) requests.end(prepared.session.id).catch(() => {});
    prepared = undefined;
  }

  function ended(): void {
    const next = partIndex.peek() + 1;
    const end = Math.max(atInPart(), parts.peek()[partIndex.peek()]?.duration ?? 0);
    void endSession({ position: end });
    if (next < parts.peek().length) return void start(next, 0);
    batch(() => {
      status.value = 'ended';
      isPlaying.value = false;
      position.value = duration.peek();
    });
    given.onEnded?.();
  }

  function failed(fault: Fault): void {
    const one = session.peek();
    if (status.peek() === 'refused' || one === null) return;
    if (fault === 'gone') return void missing(one);
    if (fault === 'memory' || (fault === 'data' && mode === 'convert')) {
      fail(new Refusal(0, '', { code: fault === 'data' ? 'undecodable' : 'memory_full' }));
      return;
    }
    if (fault === 'data') {
      mode = 'convert';
      missed.value = 'data';
    }
    void restart(fault);
  }

  media.listen({
    time: (at) => {
      if (status.peek() !== 'ready') return;
      position.value = startOfPart() + at;
    },
    length: (seconds) => {
      if (session.peek() !== null)
        parts.value = withDuration(parts.peek(), partIndex.peek(), seconds);
    },
    buffered: (ranges) => {
      const from = startOfPart();
      buffered.value = ranges.map(([a, b]) => [from + a, from + b] as const);
    },
    playing: () =>
      batch(() => {
        isPlaying.value = true;
        isWaiting.value = false;
      }),
    paused: () => {
      if (status.peek() !== 'ready') return;
      isPlaying.value = false;
      reports.soon();
    },
    waiting: () => (isWaiting.value = true),
    ready: () => {
      if (status.peek() === 'ready' && !isPlaying.peek()) isWaiting.value = false;
    },
    ended,
    failed,
  });

  function seek(to: number): void {
    const wanted = Math.max(0, Math.min(to, duration.peek() || to));
    const place = placeOf(parts.peek(), wanted);
    if (place.index !== partIndex.peek() || session.peek() === null) {
      if (status.peek() === 'ended') isPlaying.value = true;
      return void start(place.index, place.at);
    }
    position.value = wanted;
    media.seek(place.at);
    reports.soon();
  }

  /** Changes the tracks of the session; loads it again unless `selects` can do without. */
  async function change(wanted: SessionChange, selects: () => boolean): Promise<void> {
    const old = session.peek();
    if (old === null) return;
    const mine = serial;
    try {
      const changed = await requests.change(old.id, { ...wanted, position: atInPart() });
      if (mine !== serial) return;
      session.value = changed;
      const isSame = changed.mode === old.mode && changed.kind === old.kind;
      if (isSame && selects()) return;
      isWaiting.value = true;
      await media.load(sourceOf(changed, atInPart()));
      media.setRate(rate.peek());
      if (isPlaying.peek()) await press();
    } catch (error) {
      if (mine === serial) fail(error);
    }
  }

  const play = (): void => {
    isPlaying.value = true;
    if (status.peek() === 'ended') return void start(0, 0);
    if (session.peek() !== null && status.peek() === 'ready') void press();
  };
  const pause = (): void => {
    isPlaying.value = false;
    media.pause();
  };

  return {
    item,
    parts,
    partIndex,
    file,
    session,
    status,
    isPlaying,
    isWaiting,
    position,
    duration,
    buffered,
    problem,
    missed,
    lowered,
    rate,
    maxKbps,
    open,
    play,
    pause,
    toggle: () => (isPlaying.peek() ? pause() : play()),
    seek,
    setRate: (wanted) => {
      rate.value = wanted;
      media.setRate(wanted);
    },
    chooseSound: (trackId) => {
      sound = trackId;
      return change({ audio: trackId }, () => media.selectSound(trackId));
    },
    drawSubtitle: async (trackId) => {
      if (drawn === trackId) return;
      drawn = trackId;
      await change({ subtitle: trackId }, () => false);
    },
    chooseQuality: async (wanted) => {
      maxKbps.value = wanted;
      forgetOffer();
      await start(partIndex.peek(), atInPart());
    },
    again: async (wanted = 'auto') => {
      mode = wanted;
      restarts = 0;
      isPlaying.value = true;
      if (item.peek() === null) return;
      await start(partIndex.peek(), atInPart());
    },
    prepare: async (itemId) => {
      if (prepared?.item.id === itemId) return;
      dropPrepared();
      const mine = serial;
      const { one, files, line } = await read(itemId, undefined);
      const [first] = line;
      const info = first === undefined ? undefined : await infoOf(itemId, first.fileId, files);
      if (info === undefined || mine !== serial) return;
      const begun = await begin(itemId, info, {
        at: 0,
        mode: 'auto',
        maxKbps: maxKbps.peek(),
        isAhead: true,
      });
      if (mine !== serial) return void requests.end(begun.id).catch(() => {});
      prepared = { item: one, parts: line, files, session: begun, fileOfSession: info };
      media.preload(sourceOf(begun, 0));
    },
    close: () => {
      serial += 1;
      void endSession({});
      dropPrepared();
      media.clear();
      batch(() => {
        status.value = 'empty';
        isPlaying.value = false;
        item.value = null;
        problem.value = null;
      });
    },
    leave: reports.leave,
  };
}

const isGivenAway = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.code === 'gave_way' || error.code === 'taken_over');

const sourceOf = (session: Session, at: number) => ({
  url: pathOf(session.url),
  kind: session.kind,
  first: session.kind === 'hls' ? session.firstUrls.map(pathOf) : [],
  firstUrl: session.firstUrl === null ? null : pathOf(session.firstUrl),
  at,
  sound: session.tracks.find(({ kind, isSelected }) => kind === 'audio' && isSelected)?.id,
});
