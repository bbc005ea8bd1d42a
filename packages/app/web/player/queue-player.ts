/** The player of the dock. It lives as long as the page, so that music goes on over all routes. */
import { computed, effect, signal } from '@preact/signals';
import { preferences } from '../core/session.ts';
import { testFile } from './capabilities.ts';
import { createMediaElement } from './media-element.ts';
import { keepQueue } from './kept-queue.ts';
import { createPlayer } from './player.ts';
import { isShuffled, placeAfter, queue, queueAt, repeat } from './queue-state.ts';
import { playerRequests } from './requests.ts';
import { isAudiobook } from './timeline.ts';
import { followVolume } from './volume.ts';
import { soundLanguages } from './wishes.ts';

/** Seconds before the end at which what follows is made ready. */
const preparedBefore = 20;
/** The preference with the speed of audiobooks. */
export const bookSpeedKey = 'vitrine.web:bookSpeed';

const elements = [new Audio(), new Audio()] as const;

/** When the dock falls silent: after minutes, or after what plays now. */
export const sleepsAfter = signal<'title' | number | null>(null);

/** The player of the dock. */
export const queuePlayer = createPlayer({
  media: createMediaElement(elements),
  requests: playerRequests,
  test: testFile,
  soundLanguages,
  onEnded: () => {
    if (sleepsAfter.peek() === 'title') {
      sleepsAfter.value = null;
      return;
    }
    const at = queueAt.peek();
    if (repeat.peek() === 'one') playPlace(at);
    else playNext();
  },
});

/** The place that follows. */
export const following = computed(() =>
  placeAfter(queueAt.value, queue.value.length, repeat.value),
);

/** Plays a place of the queue, from its start if it is not resumed. */
export function playPlace(at: number, { resumes = false } = {}): void {
  const one = queue.peek()[at];
  if (one === undefined) return;
  queueAt.value = at;
  void queuePlayer.open(one.id, resumes ? {} : { from: 0 });
}

/** Plays what follows. */
export function playNext(): void {
  const at = following.peek();
  if (at !== undefined) playPlace(at);
}

/** Goes back to the start, or to the one before if it has just begun. */
export function playPrevious(): void {
  const at = queueAt.peek();
  if (queuePlayer.position.peek() > 3 || at <= 0) queuePlayer.seek(0);
  else playPlace(at - 1);
}

/** Stops, and puts the dock away. */
export function closeQueue(): void {
  queuePlayer.close();
  queue.value = [];
  queueAt.value = -1;
  sleepsAfter.value = null;
}

/** The gain of what plays: in an album that plays in its order that of the album. */
function gain(): number {
  const fileId = queuePlayer.parts.value[queuePlayer.partIndex.value]?.fileId;
  const loudness = queuePlayer.item.value?.files.find(({ id }) => id === fileId)?.loudness;
  const { trackGainDb, albumGainDb } = loudness ?? {};
  return (isShuffled.value ? undefined : albumGainDb) ?? trackGainDb ?? 0;
}

followVolume(elements, gain);
addEventListener('pagehide', ({ persisted }) => {
  queuePlayer.leave(persisted);
  keepQueue(queuePlayer.position.peek());
});

/** Makes ready what follows, shortly before the end. */
effect(() => {
  const left = queuePlayer.duration.value - queuePlayer.position.value;
  const next = queue.value[following.value ?? -1];
  const isNear = queuePlayer.isPlaying.value && left > 0 && left < preparedBefore;
  if (isNear && next !== undefined && repeat.value !== 'one')
    queuePlayer.prepare(next.id).catch(() => {});
});

effect(() => {
  const item = queuePlayer.item.value;
  if (item === null) return;
  const kept = preferences.peek()[bookSpeedKey];
  const isKept = typeof kept === 'number' && kept >= 0.5 && kept <= 3;
  queuePlayer.setRate(isAudiobook(item) && isKept ? kept : 1);
});

effect(() => {
  const minutes = sleepsAfter.value;
  if (typeof minutes !== 'number') return;
  const timer = setTimeout(() => {
    queuePlayer.pause();
    sleepsAfter.value = null;
  }, minutes * 60_000);
  return () => clearTimeout(timer);
});
