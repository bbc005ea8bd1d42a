import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { clockOf } from '../ui/words.ts';
import { ControlButton, Volume } from './video/controls.tsx';
import { DockPanel, type PanelName } from './dock-panel.tsx';
import { followMediaSession, makerOf, pictureOf } from './media-session.ts';
import { titleOf } from './next-episode.ts';
import { PlayerProblem } from './player-problem.tsx';
import { isShuffled, queue, repeat, toggleShuffle } from './queue-state.ts';
import { closeQueue, following, playNext, playPrevious, queuePlayer } from './queue-player.ts';
import type { Item } from './requests.ts';
import { SeekBar } from './seek-bar.tsx';
import { isAudiobook } from './timeline.ts';
import { chaptersOf } from './tracks.ts';

const turnRepeat = { off: 'all', all: 'one', one: 'off' } as const;

/** The panels that make sense for an item. */
function panelsOf(item: Item): readonly (readonly [PanelName, IconName])[] {
  const chapters = chaptersOf(item, queuePlayer.parts.value);
  const hasLyrics = item.files.some(({ text }) => text.some(({ kind }) => kind === 'lyrics'));
  return [
    ...(chapters.length > 1 ? ([['chapters', 'chapters']] as const) : []),
    ...(hasLyrics ? ([['lyrics', 'lyrics']] as const) : []),
    ...(isAudiobook(item) ? ([['speed', 'speed']] as const) : []),
    ['timer', 'timer'],
    ['queue', 'queue'],
  ];
}

/** What plays: its picture, its name, and a way to its page. */
function Now({ item }: { readonly item: Item | null }) {
  if (item === null) return <span class="dock-now" />;
  const picture = pictureOf(item);
  return (
    <a class="dock-now" href={`/items/${item.id}`}>
      {picture === undefined ? (
        <span class="dock-picture">
          <Icon name="music" />
        </span>
      ) : (
        <img class="dock-picture" src={`${picture}?width=160`} alt="" width={48} height={48} />
      )}
      <span>
        <bdi class="title">{titleOf(item)}</bdi>
        <small dir="auto">{makerOf(item)}</small>
      </span>
    </a>
  );
}

/** The id of the button that opens a panel. It has the focus again when Escape closes the panel. */
const openerOf = (name: PanelName): string => `dock-${name}`;

/** The player of music and audiobooks, at the bottom of every page. */
export default function Dock() {
  const panel = useSignal<PanelName | null>(null);
  useEffect(() => followMediaSession(queuePlayer, { next: playNext, previous: playPrevious }), []);
  const { item, problem, isPlaying, position, duration, parts } = queuePlayer;
  const now = item.value;
  const hasMany = queue.value.length > 1;
  return (
    <section
      class="dock"
      aria-label={t('dock.label')}
      onKeyDown={({ key }) => {
        // Also from the button that opened it: a panel of lyrics may have nothing to press.
        if (key !== 'Escape' || panel.value === null) return;
        document.getElementById(openerOf(panel.value))?.focus();
        panel.value = null;
      }}
    >
      {problem.value !== null && <PlayerProblem player={queuePlayer} problem={problem.value} />}
      {panel.value !== null && now !== null && <DockPanel name={panel.value} item={now} />}
      <SeekBar player={queuePlayer} chapters={now === null ? [] : chaptersOf(now, parts.value)} />
      <div class="dock-line">
        <Now item={now} />
        <div class="dock-buttons" dir="ltr">
          {hasMany && (
            <span class="wide">
              <ControlButton
                icon="shuffle"
                label={t('player.shuffle')}
                isPressed={isShuffled.value}
                press={toggleShuffle}
              />
            </span>
          )}
          <ControlButton icon="previous" label={t('dock.previous')} press={playPrevious} />
          <ControlButton
            id="dock-toggle"
            icon={isPlaying.value ? 'pause' : 'play'}
            label={isPlaying.value ? t('player.pause') : t('action.play')}
            press={queuePlayer.toggle}
          />
          {following.value !== undefined && (
            <ControlButton icon="next" label={t('dock.next')} press={playNext} />
          )}
          <span class="wide">
            <ControlButton
              icon="repeat"
              label={t(`dock.repeat.${repeat.value}`)}
              isPressed={repeat.value !== 'off'}
              press={() => (repeat.value = turnRepeat[repeat.value])}
            />
          </span>
          <span class="times" dir="ltr">
            {clockOf(position.value)} / {clockOf(duration.value)}
          </span>
        </div>
        <div class="dock-more">
          <span class="wide">
            <Volume />
          </span>
          {now !== null &&
            panelsOf(now).map(([name, icon]) => (
              <ControlButton
                key={name}
                id={openerOf(name)}
                icon={icon}
                label={t(`dock.${name}`)}
                isPressed={panel.value === name}
                press={() => (panel.value = panel.value === name ? null : name)}
              />
            ))}
          <ControlButton icon="close" label={t('dock.close')} press={closeQueue} />
        </div>
      </div>
    </section>
  );
}
