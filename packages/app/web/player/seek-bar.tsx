import { useSignal } from '@preact/signals';
import { t } from '../core/messages.ts';
import { clockOf } from '../ui/words.ts';
import type { Player } from './player-state.ts';
import { pathOf } from './requests.ts';
import { chapterAt, previewAt, type LineChapter } from './tracks.ts';

const share = (part: number, whole: number): string =>
  `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;

/** Where a player is, what is loaded, and the chapters. Dragging shows the time that it goes to. */
export function SeekBar({
  player,
  chapters,
}: {
  readonly player: Player;
  readonly chapters: readonly LineChapter[];
}) {
  const dragged = useSignal<number | null>(null);
  const pointed = useSignal<number | null>(null);
  const duration = player.duration.value;
  const position = dragged.value ?? player.position.value;
  const shown = dragged.value ?? pointed.value;
  const chapter = shown === null ? undefined : chapterAt(chapters, shown);
  const time = (seconds: number): string => clockOf(seconds);
  return (
    // Time runs from left to right in every language, as the arrow keys say.
    <div
      class="seek"
      dir="ltr"
      onPointerMove={({ currentTarget, clientX }) => {
        const { left, width } = currentTarget.getBoundingClientRect();
        const at = Math.min(1, Math.max(0, (clientX - left) / width));
        pointed.value = at * duration;
      }}
      onPointerLeave={() => (pointed.value = null)}
    >
      <div class="seek-line" aria-hidden="true">
        {player.buffered.value.map(([from, to]) => (
          <span
            key={from}
            class="loaded"
            style={{
              insetInlineStart: share(from, duration),
              width: share(to - from, duration),
            }}
          />
        ))}
        <span class="played" style={{ width: share(position, duration) }} />
        {chapters
          .filter(({ start }) => start > 0)
          .map(({ start }) => (
            <span key={start} class="mark" style={{ insetInlineStart: share(start, duration) }} />
          ))}
      </div>
      {shown !== null && duration > 0 && (
        <span
          class="seek-hint"
          aria-hidden="true"
          style={{ insetInlineStart: share(shown, duration) }}
        >
          <Preview player={player} at={shown} />
          {chapter !== undefined && <bdi>{chapter.title}</bdi>}
          {time(shown)}
        </span>
      )}
      <input
        type="range"
        min={0}
        max={Math.max(1, Math.floor(duration))}
        step={1}
        value={Math.floor(position)}
        aria-label={t('player.position')}
        aria-valuetext={t('player.positionOf', { time: time(position), length: time(duration) })}
        onInput={({ currentTarget }) => (dragged.value = Number(currentTarget.value))}
        onChange={({ currentTarget }) => {
          dragged.value = null;
          player.seek(Number(currentTarget.value));
        }}
      />
    </div>
  );
}

/** The little picture at a time, of the part that plays. */
function Preview({ player, at }: { readonly player: Player; readonly at: number }) {
  const pictures = player.file.value?.trickplay ?? null;
  const url = player.session.value?.trickplayUrl ?? null;
  const part = player.parts.value[player.partIndex.value];
  if (pictures === null || url === null || part === undefined) return null;
  const place = previewAt(pictures, at - part.start);
  if (at < part.start || place === undefined) return null;
  const { width, height } = pictures;
  return (
    <span
      class="preview"
      style={{
        width: `${width / 2}px`,
        height: `${height / 2}px`,
        backgroundImage: `url("${new URL(`${place.sheet}.jpg`, new URL(pathOf(url), location.origin)).pathname}")`,
        backgroundSize: `${(pictures.columns * width) / 2}px auto`,
        backgroundPosition: `-${(place.column * width) / 2}px -${(place.row * height) / 2}px`,
      }}
    />
  );
}
