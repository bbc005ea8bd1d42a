/** A book of pages: where one is, the ways to turn, and the controls for that. */
import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { ControlButton } from '../player/video/controls.tsx';
import { createProgress } from './progress.ts';
import type { ReaderProps } from './reader.ts';
import { ReaderBar, ReaderFoot } from './reader-bar.tsx';
import { choose, settings } from './settings.ts';
import { useTurning, type Hands } from './use-turning.ts';

/** The pages as they are now. Pages are counted from 0. */
export interface TurnedPages {
  readonly hands: Hands;
  readonly isRightToLeft: Signal<boolean>;
  readonly page: number;
  readonly pages: number;
  /** What stands side by side, in the order of the book. */
  readonly spread: readonly number[];
  readonly goTo: (page: number) => void;
  readonly turn: (by: -1 | 1) => void;
}

/** The pages that stand side by side with a page: in twos, and the cover alone. */
export function spreadOf(page: number, pages: number, isDouble: boolean): readonly number[] {
  if (!isDouble || page === 0) return [page];
  const first = page % 2 === 1 ? page : page - 1;
  return first + 1 < pages ? [first, first + 1] : [first];
}

/** Turns the pages of a book and keeps the place. A book of 0 pages is not open yet. */
export function usePages({
  item,
  file,
  leave,
  isKept,
  pages,
  startsRightToLeft,
  turned,
}: Omit<ReaderProps, 'source'> & {
  readonly pages: number;
  readonly startsRightToLeft: boolean;
  readonly turned?: () => void;
}): TurnedPages {
  const begun = item.playback.completed ? 0 : Math.round(item.playback.position) - 1;
  const wanted = useSignal(Math.max(0, begun));
  const isRightToLeft = useSignal(startsRightToLeft);
  const { isDouble } = settings.value;
  const within = (page: number): number => Math.max(0, Math.min(pages - 1, page));
  const page = within(wanted.value);
  const spread = spreadOf(page, pages, isDouble);
  const progress = useMemo(
    () => createProgress({ itemId: item.id, fileId: file.id, pages, isKept }),
    [pages],
  );
  const goTo = (to: number): void => {
    if (pages === 0) return;
    wanted.value = within(to);
    const last = spreadOf(wanted.peek(), pages, settings.peek().isDouble).at(-1) ?? 0;
    progress.turnTo(last + 1);
    turned?.();
  };
  const turn = (by: -1 | 1): void =>
    goTo(by === 1 ? (spread.at(-1) ?? 0) + 1 : (spread[0] ?? 0) - 1);
  useEffect(() => void (isRightToLeft.value = startsRightToLeft), [startsRightToLeft]);
  useEffect(() => {
    addEventListener('pagehide', progress.leave);
    return () => {
      removeEventListener('pagehide', progress.leave);
      progress.leave();
    };
  }, [progress]);
  const hands = useTurning({
    leave,
    isRightToLeft: isRightToLeft.value,
    forward: () => turn(1),
    back: () => turn(-1),
    first: () => goTo(0),
    last: () => goTo(pages - 1),
  });
  return { hands, isRightToLeft, page, pages, spread, goTo, turn };
}

export const PagesBar = ({
  title,
  leave,
  isRightToLeft,
  children,
}: {
  readonly title: string;
  readonly leave: () => void;
  readonly isRightToLeft: Signal<boolean>;
  readonly children?: ComponentChildren;
}) => {
  const { isDouble, fit } = settings.value;
  return (
    <ReaderBar title={title} leave={leave}>
      {children}
      <ControlButton
        icon="swap"
        label={t('read.rightToLeft')}
        isPressed={isRightToLeft.value}
        press={() => (isRightToLeft.value = !isRightToLeft.value)}
      />
      <ControlButton
        icon="columns"
        label={t('read.double')}
        isPressed={isDouble}
        press={() => choose({ isDouble: !isDouble })}
      />
      <ControlButton
        icon="fullscreen"
        label={t('read.fitWidth')}
        isPressed={fit === 'width'}
        press={() => choose({ fit: fit === 'width' ? 'page' : 'width' })}
      />
    </ReaderBar>
  );
};

/** The foot below the pages. */
export const PagesFoot = ({
  of: { isRightToLeft, page, pages, goTo, turn },
}: {
  readonly of: TurnedPages;
}) => (
  <ReaderFoot
    {...{ turn, pages, isRightToLeft: isRightToLeft.value }}
    page={page + 1}
    goTo={(to) => goTo(to - 1)}
  />
);
