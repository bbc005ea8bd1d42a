import { effect, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isOnline } from '../core/live.ts';
import { t } from '../core/messages.ts';
import type { PageProps } from '../core/router.ts';
import { go } from '../core/router.ts';
import { preferences } from '../core/session.ts';
import { testFile } from '../player/capabilities.ts';
import { Controls, toggleFullscreen } from '../player/video/controls.tsx';
import { createFace, type Repeated, type VideoFace } from '../player/video/face.ts';
import { createMediaElement } from '../player/media-element.ts';
import { followMediaSession, makerOf } from '../player/media-session.ts';
import { nextOf, titleOf } from '../player/next-episode.ts';
import { createPlayer } from '../player/player.ts';
import type { Player } from '../player/player-state.ts';
import { PlayerProblem } from '../player/player-problem.tsx';
import { isAway } from '../player/problems.ts';
import { pauseQueue } from '../player/queue.ts';
import { playerRequests } from '../player/requests.ts';
import { followSleep, sleepsNow } from '../player/video/sleep.ts';
import { useIdle } from '../player/video/use-idle.ts';
import { followKeys } from '../player/video/video-keys.ts';
import { followVolume } from '../player/volume.ts';
import { isDrawnByServer } from '../player/tracks.ts';
import { soundLanguages, textFor } from '../player/wishes.ts';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useTitle } from '../ui/title.ts';
import { clockOf } from '../ui/words.ts';

/** Subtitles, menus and what comes next are loaded after the picture. */
const Subtitles = lazy(async () => (await import('../player/video/subtitles.tsx')).Subtitles);
const SkipChapter = lazy(async () => (await import('../player/video/what-next.tsx')).SkipChapter);
const NextCard = lazy(async () => (await import('../player/video/what-next.tsx')).NextCard);
const OpenMenu = lazy(async () => (await import('../player/video/menus.tsx')).OpenMenu);
const KeyHelp = lazy(async () => (await import('../player/video/key-help.tsx')).KeyHelp);
/** What plugins add to the player; it comes after the picture. */
const PluginActions = lazy(async () => (await import('../pieces/plugin-slot.tsx')).PluginActions);

/** Seconds of the query; `undefined` = none, or not a number. */
function secondsOf(text: string | null): number | undefined {
  const seconds = text === null || text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** Creates the player of the page over its element. */
function createVideo(video: HTMLVideoElement): VideoFace {
  const media = createMediaElement([video]);
  const player = createPlayer({
    media,
    requests: playerRequests,
    test: testFile,
    soundLanguages,
    onEnded: () => {
      if (sleepsNow()) return;
      if (preferences.peek()['autoplayNext'] !== false && !face.isNextRefused.peek())
        face.playNext();
    },
  });
  const face = createFace(player);
  return face;
}

/** Follows what a video page follows besides its keys; returns how to stop. */
function followAll(face: VideoFace, video: HTMLVideoElement): () => void {
  const { player } = face;
  const leave = ({ persisted }: PageTransitionEvent): void => player.leave(persisted);
  addEventListener('pagehide', leave);
  let known: string | undefined;
  const stops = [
    followVolume([video]),
    followSleep(player),
    followMediaSession(player, { next: face.playNext }),
    () => removeEventListener('pagehide', leave),
    effect(() => {
      const session = player.session.value;
      if (session === null) return;
      if (session.fileId !== known) {
        known = session.fileId;
        const drawn = session.tracks.find((one) => one.isSelected && isDrawnByServer(one));
        face.text.value = drawn ?? textFor(session.tracks);
        face.secondText.value = null;
        return;
      }
      // The addresses of an older session end with it.
      for (const text of [face.text, face.secondText]) {
        const chosen = text.peek();
        if (chosen !== null) text.value = session.tracks.find(({ id }) => id === chosen.id) ?? null;
      }
    }),
    effect(() => {
      const text = face.text.value;
      void player.drawSubtitle(text !== null && isDrawnByServer(text) ? text.id : null);
    }),
    effect(() => {
      const item = player.item.value;
      if (item !== null)
        nextOf(item).then(
          (next) => (face.next.value = next),
          () => {},
        );
    }),
    effect(() => {
      // The server is back: what its absence ended goes on.
      if (isOnline.value && isAway(player.problem.peek()?.error)) void player.again();
    }),
    effect(() => {
      const part = face.repeated.value;
      if (part?.to != null && player.position.value >= part.to) player.seek(part.from);
    }),
    () => player.close(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Plays what is kept on this device, also where the server answers. */
async function playKept(id: string): Promise<void> {
  const { playFromDevice } = await import('../downloads/kept-requests.ts');
  playFromDevice(id);
}

/** A video in the whole window. */
export default function WatchPage({ parameters: { id = '' }, query }: PageProps) {
  const root = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const face = useSignal<VideoFace | null>(null);
  const [from, file] = useMemo(() => [secondsOf(query.get('from')), query.get('file')], []);
  const isFromDevice = query.has('device');
  const leave = (): void => {
    if (history.length > 1) history.back();
    else void go(isFromDevice ? '/downloads' : `/items/${id}`, { replace: true });
  };
  const idle = useIdle(root, () => {
    const now = face.peek();
    return now?.player.isPlaying.peek() === true && now.menu.peek() === null;
  });
  useEffect(() => {
    if (video.current === null) return;
    const ready = isFromDevice ? playKept(id) : Promise.resolve();
    void pauseQueue();
    const one = createVideo(video.current);
    face.value = one;
    const stops = [
      followAll(one, video.current),
      followKeys(one, {
        root: () => root.current,
        video: () => video.current,
        leave,
        pressed: idle.wake,
      }),
    ];
    let isOver = false;
    void ready.then(() => {
      if (!isOver) void one.player.open(id, { from, ...(file !== null && { fileId: file }) });
    });
    return () => {
      isOver = true;
      for (const stop of stops) stop();
    };
  }, []);
  const shown = face.value;
  const item = shown?.player.item.value ?? null;
  useTitle(item === null ? undefined : titleOf(item));
  return (
    <div
      class="watch"
      ref={root}
      tabIndex={-1}
      data-idle={idle.isIdle.value ? '' : undefined}
      onPointerMove={idle.wake}
    >
      <video
        ref={video}
        playsInline
        onClick={(event) => {
          // A finger shows the controls, a mouse plays and pauses.
          if ((event as unknown as PointerEvent).pointerType === 'touch') idle.toggle();
          else shown?.player.toggle();
        }}
        onDblClick={() => toggleFullscreen(video.current)}
      />
      {shown !== null && <Over face={shown} video={video} leave={leave} />}
    </div>
  );
}

/** After so long people want to know why nothing moves. */
const patienceMs = 6000;

/** The wheel while nothing plays; after a while with the reason. */
function Waiting({ player }: { readonly player: Player }) {
  const isLong = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (isLong.value = true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  const mode = player.session.value?.mode;
  return (
    <>
      <p class="player-wait" role="status">
        <span class="unseen">{t('state.loading')}</span>
      </p>
      {isLong.value && mode === 'convert' && (
        <p class="player-note" role="status">
          {t('player.stalled')}
        </p>
      )}
    </>
  );
}

/** Which part plays again and again. */
const RepeatNote = ({ part: { from, to } }: { readonly part: Repeated }) => (
  <p class="player-repeat" role="status">
    <Icon name="repeat" size={18} /> {`${clockOf(from)} – ${to === null ? '…' : clockOf(to)}`}
  </p>
);

/** All that lies over the picture. */
function Over({
  face,
  video,
  leave,
}: {
  readonly face: VideoFace;
  readonly video: { readonly current: HTMLVideoElement | null };
  readonly leave: () => void;
}) {
  const { player } = face;
  const item = player.item.value;
  const session = player.session.value;
  const problem = player.problem.value;
  const missed = player.missed.value;
  const lowered = player.lowered.value;
  return (
    <>
      <Subtitles face={face} video={video.current} />
      <header class="watch-top">
        <button type="button" class="control" aria-label={t('player.back')} onClick={leave}>
          <Icon name="left" size={28} />
        </button>
        <div>
          {item !== null && (
            <h1>
              <bdi>{titleOf(item)}</bdi>
            </h1>
          )}
          {item === null && problem === null && (
            <h1 class="unseen" aria-busy="true">
              {t('state.loading')}
            </h1>
          )}
          <p>{item === null ? '' : makerOf(item)}</p>
        </div>
        {item !== null && session !== null && (
          <PluginActions
            view="ui.player.overlays"
            context={{ itemId: item.id, sessionId: session.id }}
          />
        )}
        <button
          type="button"
          class="control"
          aria-label={t('keys.title')}
          onClick={() => (face.helps.value = true)}
        >
          <Icon name="keyboard" />
        </button>
      </header>
      {player.isWaiting.value && problem === null && <Waiting player={player} />}
      {face.repeated.value !== null && <RepeatNote part={face.repeated.value} />}
      {missed !== null && lowered === null && problem === null && (
        <p class="player-note" role="status">
          {t(`player.missed.${missed}`)}
        </p>
      )}
      {lowered !== null && problem === null && (
        <p class="player-note" role="status">
          {t('player.lowered', { height: String(lowered) })}
        </p>
      )}
      {problem !== null && <PlayerProblem player={player} problem={problem} />}
      <SkipChapter face={face} />
      <NextCard face={face} />
      <OpenMenu face={face} />
      <Controls face={face} video={video} />
      {face.helps.value && <KeyHelp face={face} />}
    </>
  );
}
