import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { BookProblem } from './book-problem.tsx';
import { openComic, type Comic } from './comic.ts';
import type { ReaderProps } from './reader.ts';
import { settings } from './settings.ts';
import { PagesBar, PagesFoot, usePages } from './use-pages.tsx';
import { openZip, type Zip, type ZipEntry } from './zip.ts';

interface OpenComic {
  readonly zip: Zip;
  readonly comic: Comic;
}

/** A comic: its pages are read one by one as they are turned. */
export default function ComicReader(props: ReaderProps) {
  const book = useSignal<OpenComic | null>(null);
  const problem = useSignal<unknown>(undefined);
  useEffect(() => {
    openZip(props.source)
      .then(async (zip) => (book.value = { zip, comic: await openComic(zip) }))
      .catch((error: unknown) => (problem.value = error));
  }, []);
  return (
    <div class="reader">
      {problem.value !== undefined ? (
        <BookProblem error={problem.value} {...props} />
      ) : book.value === null ? (
        <div class="loading" role="status" aria-busy="true" aria-label={t('state.loading')} />
      ) : (
        <Pages {...props} book={book.value} />
      )}
    </div>
  );
}

function Pages({ book, ...props }: ReaderProps & { readonly book: OpenComic }) {
  const { item, leave } = props;
  const { pages } = book.comic;
  const sheet = useRef<HTMLDivElement>(null);
  const turned = usePages({
    ...props,
    pages: pages.length,
    startsRightToLeft: book.comic.isRightToLeft,
    turned: () => sheet.current?.scrollTo(0, 0),
  });
  const { isRightToLeft, spread, hands } = turned;
  return (
    <>
      <PagesBar title={item.title} {...{ leave, isRightToLeft }} />
      <div
        class={`comic-sheet fit-${settings.value.fit}`}
        dir={isRightToLeft.value ? 'rtl' : 'ltr'}
        ref={sheet}
        {...hands.fingers}
      >
        {spread.map((at) => (
          <Page key={at} zip={book.zip} entry={pages[at]} number={at + 1} pages={pages.length} />
        ))}
      </div>
      <PagesFoot of={turned} />
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
