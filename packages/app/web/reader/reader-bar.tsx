import type { ComponentChildren } from 'preact';
import { t } from '../core/messages.ts';
import { ControlButton } from '../player/video/controls.tsx';

/** The bar of a reader: the way back, the title, and what this kind of book can do. */
export const ReaderBar = ({
  title,
  leave,
  children,
}: {
  readonly title: string;
  readonly leave: () => void;
  readonly children?: ComponentChildren;
}) => (
  <header class="reader-bar">
    <ControlButton icon="left" label={t('player.back')} press={leave} />
    <h1>
      <bdi>{title}</bdi>
    </h1>
    {children}
  </header>
);

/** The foot of a reader: where one is, and the ways to turn a page. */
export function ReaderFoot({
  page,
  pages,
  isRightToLeft,
  turn,
  goTo,
}: {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly isRightToLeft: boolean;
  readonly turn: (by: -1 | 1) => void;
  readonly goTo: (page: number) => void;
}) {
  const [leftward, rightward] = isRightToLeft ? ([1, -1] as const) : ([-1, 1] as const);
  const label = (by: -1 | 1): string => (by === 1 ? t('read.next') : t('read.previous'));
  return (
    <footer class="reader-foot" dir="ltr">
      <ControlButton icon="left" label={label(leftward)} press={() => turn(leftward)} />
      <input
        type="range"
        min={1}
        max={pages}
        value={page}
        dir={isRightToLeft ? 'rtl' : 'ltr'}
        aria-label={t('read.page')}
        aria-valuetext={t('read.pageOf', { page, pages })}
        onChange={({ currentTarget }) => goTo(Number(currentTarget.value))}
      />
      <span class="reader-place" role="status">
        {t('read.pageOf', { page, pages })}
      </span>
      <ControlButton icon="right" label={label(rightward)} press={() => turn(rightward)} />
    </footer>
  );
}
