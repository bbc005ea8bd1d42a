import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { ControlButton } from '../player/video/controls.tsx';
import { BookProblem } from './book-problem.tsx';
import { ContentsDialog } from './contents-dialog.tsx';
import { createChapterFrame, type ChapterFrame } from './chapter-frame.ts';
import { openEpub, type ContentsTarget, type Epub } from './epub.ts';
import { placeOf, positionOf } from './book-place.ts';
import { createProgress } from './progress.ts';
import type { ReaderProps } from './reader.ts';
import { ReaderBar, ReaderFoot } from './reader-bar.tsx';
import { choose, nextTheme, settings, textSizes } from './settings.ts';
import { useTurning } from './use-turning.ts';
import { openZip, type Zip } from './zip.ts';

interface OpenBook {
  readonly zip: Zip;
  readonly epub: Epub;
}

/** A book: one chapter at a time, in pages of the size of the window. */
export default function EpubReader(props: ReaderProps) {
  const book = useSignal<OpenBook | null>(null);
  const problem = useSignal<unknown>(undefined);
  useEffect(() => {
    openZip(props.source)
      .then(async (zip) => (book.value = { zip, epub: await openEpub(zip) }))
      .catch((error: unknown) => (problem.value = error));
  }, []);
  return (
    <div class={`reader paper-${settings.value.theme}`}>
      {problem.value !== undefined ? (
        <BookProblem error={problem.value} {...props} />
      ) : book.value === null ? (
        <div class="loading" role="status" aria-busy="true" aria-label={t('state.loading')} />
      ) : (
        <Book {...props} book={book.value} fail={(error) => (problem.value = error)} />
      )}
    </div>
  );
}

interface BookProps extends ReaderProps {
  readonly book: OpenBook;
  readonly fail: (error: unknown) => void;
}

function Book({ item, file, leave, isKept, book: { zip, epub }, fail }: BookProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const over = useRef<HTMLDivElement>(null);
  const shown = useRef<ChapterFrame | null>(null);
  const position = useSignal(item.playback.completed ? 0 : item.playback.position);
  const hasContents = useSignal(false);
  const progress = useMemo(
    () => createProgress({ itemId: item.id, fileId: file.id, pages: epub.pages, isKept }),
    [],
  );
  const { theme, textSize } = settings.value;
  const moved = (chapter: number, share: number): void => {
    const isEnd = chapter === epub.chapters.length - 1 && share === 1;
    position.value = isEnd ? epub.pages : positionOf(epub.chapters, chapter, share);
    progress.turnTo(position.peek());
  };
  const open = (chapter: number, at: number | string): void =>
    void shown.current?.open(chapter, at).catch(fail);
  const goTo = (wanted: number): void => {
    const { chapter, share } = placeOf(epub.chapters, wanted);
    open(chapter, share);
  };
  const turn = (by: -1 | 1): void => {
    const now = shown.current;
    if (now === null || now.turn(by)) return;
    const next = now.chapter() + by;
    if (next >= 0 && next < epub.chapters.length) open(next, by === 1 ? 0 : 1);
  };
  const follow = ({ chapter, place }: ContentsTarget): void => open(chapter, place);
  useEffect(() => {
    if (frame.current === null || over.current === null) return;
    const one = createChapterFrame(frame.current, over.current, { zip, epub, moved, follow });
    shown.current = one;
    goTo(position.peek());
    addEventListener('pagehide', progress.leave);
    return () => {
      removeEventListener('pagehide', progress.leave);
      one.close();
      progress.leave();
    };
  }, []);
  useEffect(() => shown.current?.restyle(), [theme, textSize]);
  const { fingers } = useTurning({
    leave,
    isRightToLeft: epub.isRightToLeft,
    forward: () => turn(1),
    back: () => turn(-1),
    first: () => goTo(0),
    last: () => open(epub.chapters.length - 1, 1),
  });
  const size = (by: number): void =>
    choose({ textSize: Math.min(textSizes.most, Math.max(textSizes.least, textSize + by)) });
  return (
    <>
      <ReaderBar title={item.title} leave={leave}>
        <ControlButton
          icon="zoomOut"
          label={t('read.smaller')}
          press={() => size(-textSizes.step)}
        />
        <ControlButton icon="zoomIn" label={t('read.larger')} press={() => size(textSizes.step)} />
        <ControlButton
          icon="sun"
          label={t(`read.theme.${theme}`)}
          press={() => choose({ theme: nextTheme(theme) })}
        />
        {epub.contents.length > 0 && (
          <ControlButton
            icon="chapters"
            label={t('read.contents')}
            press={() => (hasContents.value = true)}
          />
        )}
      </ReaderBar>
      <div class="epub-sheet" {...fingers}>
        {/* No scripts run in it. The app reaches into it to draw the chapter. */}
        <div class="epub-page">
          <iframe ref={frame} sandbox="allow-same-origin" title={item.title} />
          <div class="epub-pictures" ref={over} aria-hidden="true" />
        </div>
      </div>
      <ReaderFoot
        {...{ turn, goTo: (to) => goTo(to - 1), isRightToLeft: epub.isRightToLeft }}
        page={Math.min(epub.pages, Math.floor(position.value) + 1)}
        pages={epub.pages}
      />
      {hasContents.value && (
        <ContentsDialog
          lines={epub.contents}
          choose={(line) => {
            const target = epub.contents[line];
            hasContents.value = false;
            if (target !== undefined) follow(target);
          }}
          close={() => (hasContents.value = false)}
        />
      )}
    </>
  );
}
