import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { ControlButton } from '../player/video/controls.tsx';
import { BookProblem } from './book-problem.tsx';
import { openComic, type Comic } from './comic.ts';
import { fileSource } from './ranges.ts';
import type { ReaderProps } from './reader.ts';
import { ReaderBar, ReaderFoot } from './reader-bar.tsx';
import { choose, settings } from './settings.ts';
import { createProgress } from './progress.ts';
import { useTurning } from './use-turning.ts';
import { openZip, type Zip, type ZipEntry } from './zip.ts';

interface OpenComic {
  readonly zip: Zip;
  readonly comic: Comic;
}

/** A comic: its pages are read one by one as they are turned. */
export default function ComicReader({ item, file, leave }: ReaderProps) {
  const book = useSignal<OpenComic | null>(null);
  const problem = useSignal<unknown>(undefined);
  useEffect(() => {
    openZip(fileSource(file.id, file.size))
      .then(async (zip) => (book.value = { zip, comic: await openComic(zip) }))
      .catch((error: unknown) => (problem.value = error));
  }, []);
  return (
    <div class="reader">
      {problem.value !== undefined ? (
        <BookProblem error={problem.value} item={item} file={file} leave={leave} />
      ) : book.value === null ? (
        <div class="loading" role="status" aria-busy="true" aria-label={t('state.loading')} />
      ) : (
        <Pages {...{ item, file, leave }} book={book.value} />
      )}
    </div>
  );
}

/** The pages that stand side by side with a page: in twos, and the cover alone. */
export function spreadOf(page: number, pages: number, isDouble: boolean): readonly number[] {
  if (!isDouble || page === 0) return [page];
  const first = page % 2 === 1 ? page : page - 1;
  return first + 1 < pages ? [first, first + 1] : [first];
}

function Pages({ item, file, leave, book }: ReaderProps & { readonly book: OpenComic }) {
  const { pages } = book.comic;
  const begun = item.playback.completed ? 0 : Math.round(item.playback.position) - 1;
  const page = useSignal(Math.min(pages.length - 1, Math.max(0, begun)));
  const isRightToLeft = useSignal(book.comic.isRightToLeft);
  const { isDouble, fit } = settings.value;
  const sheet = useRef<HTMLDivElement>(null);
  const progress = useMemo(
    () => createProgress({ itemId: item.id, fileId: file.id, pages: pages.length }),
    [],
  );
  const spread = spreadOf(page.value, pages.length, isDouble);
  const goTo = (to: number): void => {
    page.value = Math.min(pages.length - 1, Math.max(0, to));
    const last = spreadOf(page.peek(), pages.length, settings.peek().isDouble).at(-1) ?? 0;
    progress.turnTo(last + 1);
    sheet.current?.scrollTo(0, 0);
  };
  const turn = (by: -1 | 1): void =>
    goTo(by === 1 ? (spread.at(-1) ?? 0) + 1 : (spread[0] ?? 0) - 1);
  useEffect(() => {
    addEventListener('pagehide', progress.leave);
    return () => {
      removeEventListener('pagehide', progress.leave);
      progress.leave();
    };
  }, []);
  const fingers = useTurning({
    ...{ leave, isRightToLeft: isRightToLeft.value },
    forward: () => turn(1),
    back: () => turn(-1),
    first: () => goTo(0),
    last: () => goTo(pages.length - 1),
  });
  return (
    <>
      <ReaderBar title={item.title} leave={leave}>
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
      <div
        class={`comic-sheet fit-${fit}`}
        dir={isRightToLeft.value ? 'rtl' : 'ltr'}
        ref={sheet}
        {...fingers}
      >
        {spread.map((at) => (
          <Page key={at} zip={book.zip} entry={pages[at]} number={at + 1} pages={pages.length} />
        ))}
      </div>
      <ReaderFoot
        {...{ turn, isRightToLeft: isRightToLeft.value, pages: pages.length }}
        page={page.value + 1}
        goTo={(to) => goTo(to - 1)}
      />
    </>
  );
}

/** One page, drawn on a canvas: the page of the app shows no picture but those of the server. */
function Page({
  zip,
  entry,
  number,
  pages,
}: {
  readonly zip: Zip;
  readonly entry: ZipEntry | undefined;
  readonly number: number;
  readonly pages: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const state = useSignal<'wait' | 'shown' | 'broken'>('wait');
  useEffect(() => {
    let isGone = false;
    async function draw(): Promise<void> {
      if (entry === undefined) return;
      const picture = await createImageBitmap(new Blob([await zip.read(entry)]));
      const target = canvas.current;
      if (!isGone && target !== null) {
        [target.width, target.height] = [picture.width, picture.height];
        target.getContext('2d')?.drawImage(picture, 0, 0);
        state.value = 'shown';
      }
      picture.close();
    }
    draw().catch(() => void (!isGone && (state.value = 'broken')));
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <>
      <canvas
        ref={canvas}
        width={0}
        height={0}
        role="img"
        hidden={state.value === 'broken'}
        data-state={state.value}
        aria-label={t('read.pageOf', { page: number, pages })}
      />
      {state.value === 'broken' && <p class="reader-broken">{t('read.brokenPage')}</p>}
    </>
  );
}
