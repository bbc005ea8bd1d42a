import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { useResource } from '../core/resource.ts';
import { prefer } from '../core/session.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ready } from '../ui/states.tsx';
import { clockOf } from '../ui/words.ts';
import { titleOf } from './next-episode.ts';
import { queue, queueAt, unqueue, type Queued } from './queue-state.ts';
import { bookSpeedKey, playPlace, queuePlayer, sleepsAfter } from './queue-player.ts';
import type { Item } from './requests.ts';
import { speeds } from './speeds.ts';
import { chapterAt, chaptersOf } from './tracks.ts';

/** A panel above the dock. */
export type PanelName = 'queue' | 'lyrics' | 'chapters' | 'speed' | 'timer';

/** A line of a list that one chooses from. */
const Line = ({
  isNow,
  press,
  children,
}: {
  readonly isNow: boolean;
  readonly press: () => void;
  readonly children: ComponentChildren;
}) => (
  <button type="button" class="choice" aria-pressed={isNow} onClick={press}>
    <span class="tick">{isNow && <Icon name="check" size={18} />}</span>
    <span>{children}</span>
  </button>
);

const QueueTitle = ({ queued }: { readonly queued: Queued }) =>
  queued.title === undefined ? <ReadTitle id={queued.id} /> : <bdi>{queued.title}</bdi>;

function ReadTitle({ id }: { readonly id: string }) {
  const item = useResource(`item:${id}`, [`item:${id}`], () =>
    call('get', '/api/items/{id}', { path: { id } }),
  );
  const found = item.value.value?.item;
  return <bdi>{found === undefined ? '' : titleOf(found)}</bdi>;
}

const Queue = () => (
  <ol class="dock-list">
    {queue.value.map((queued, at) => (
      <li key={`${queued.id}-${at}`}>
        <Line isNow={at === queueAt.value} press={() => playPlace(at)}>
          <QueueTitle queued={queued} />
        </Line>
        {at !== queueAt.value && (
          <IconButton
            icon="close"
            size={16}
            label={t('dock.remove', { title: queued.title ?? '' })}
            act={() => unqueue(at)}
          />
        )}
      </li>
    ))}
  </ol>
);

function Lyrics({ id }: { readonly id: string }) {
  const lyrics = useResource(`lyrics:${id}`, [`item:${id}`], () =>
    call('get', '/api/items/{id}/lyrics', { path: { id } }),
  );
  return <Ready of={lyrics}>{(found) => <LyricLines lyrics={found} />}</Ready>;
}

function LyricLines({ lyrics: { synced, lines } }: { readonly lyrics: Resources['Lyrics'] }) {
  const list = useRef<HTMLOListElement>(null);
  const ms = queuePlayer.position.value * 1000;
  const now = synced ? lines.findLastIndex(({ startMs }) => startMs <= ms) : -1;
  useEffect(() => {
    list.current?.children[now]?.scrollIntoView({ block: 'nearest' });
  }, [now]);
  return (
    <ol class="lyrics" ref={list}>
      {lines.map(({ startMs, text }, at) => (
        <li key={at} aria-current={at === now ? 'true' : undefined}>
          {synced ? (
            <button type="button" onClick={() => queuePlayer.seek(startMs / 1000)}>
              {text}
            </button>
          ) : (
            text
          )}
        </li>
      ))}
    </ol>
  );
}

function Chapters({ item }: { readonly item: Item }) {
  const chapters = chaptersOf(item, queuePlayer.parts.value);
  const now = chapterAt(chapters, queuePlayer.position.value);
  return (
    <ol class="dock-list">
      {chapters.map((chapter) => (
        <li key={chapter.start}>
          <Line isNow={chapter === now} press={() => queuePlayer.seek(chapter.start)}>
            <bdi>{chapter.title}</bdi> <small>{clockOf(chapter.start)}</small>
          </Line>
        </li>
      ))}
    </ol>
  );
}

const Speed = () => (
  <ol class="dock-list">
    {speeds.map((rate) => (
      <li key={rate}>
        <Line
          isNow={queuePlayer.rate.value === rate}
          press={() => {
            queuePlayer.setRate(rate);
            void prefer({ [bookSpeedKey]: rate }).catch(() => {});
          }}
        >
          {rate === 1 ? t('player.usualSpeed') : t('player.speedOf', { value: rate })}
        </Line>
      </li>
    ))}
  </ol>
);

const minutes = [5, 15, 30, 45, 60, 90] as const;

const Timer = () => (
  <ol class="dock-list">
    {[null, 'title' as const, ...minutes].map((after) => (
      <li key={String(after)}>
        <Line isNow={sleepsAfter.value === after} press={() => (sleepsAfter.value = after)}>
          {after === null
            ? t('player.off')
            : after === 'title'
              ? t('dock.afterTitle')
              : t('length.minutes', { minutes: after })}
        </Line>
      </li>
    ))}
  </ol>
);

/** The open panel. */
export function DockPanel({ name, item }: { readonly name: PanelName; readonly item: Item }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const buttons = place.current?.querySelectorAll('button') ?? [];
    ([...buttons].find((one) => one.ariaPressed === 'true') ?? buttons[0])?.focus();
  }, [name]);
  return (
    <div class="dock-panel" role="group" aria-label={t(`dock.${name}`)} ref={place}>
      <h2>{t(`dock.${name}`)}</h2>
      {name === 'queue' && <Queue />}
      {name === 'lyrics' && <Lyrics id={item.id} />}
      {name === 'chapters' && <Chapters item={item} />}
      {name === 'speed' && <Speed />}
      {name === 'timer' && <Timer />}
    </div>
  );
}
