import { batch, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { preload, useResource } from '../core/resource.ts';
import { go, type PageProps } from '../core/router.ts';
import { openFile, readBook, type OpenedFile } from '../reader/open-book.ts';
import { readableFile, readerOf, type BookItem, type ReaderProps } from '../reader/reader.ts';
import { PageReady } from '../ui/page-ready.tsx';
import { Empty, PageProblem } from '../ui/states.tsx';
import { useTitle } from '../ui/title.ts';

const topicsOf = (id: string): readonly string[] => [`item:${id}`];
const loadOf = (id: string) => () => readBook(id);

/** Reads the item before it is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(`item:${id}`, topicsOf(id), loadOf(id));

/** A book in the whole window. */
export default function ReadPage({ parameters: { id = '' } }: PageProps) {
  const item = useResource(`item:${id}`, topicsOf(id), loadOf(id));
  useTitle(item.value.value?.item.title);
  return <PageReady of={item}>{({ item: one }) => <Reader key={one.id} item={one} />}</PageReady>;
}

const readers = {
  comic: () => import('../reader/comic-reader.tsx'),
  epub: () => import('../reader/epub-reader.tsx'),
} as const;

/** Each kind of book has a reader, which is loaded when it is needed. */
function Reader({ item }: { readonly item: BookItem }) {
  const reader = useSignal<ComponentType<ReaderProps> | null>(null);
  const opened = useSignal<OpenedFile | null>(null);
  const problem = useSignal<unknown>(undefined);
  const file = readableFile(item.files);
  const kind = file === undefined ? undefined : readerOf(file.filename);
  const leave = (): void => {
    if (history.length > 1) history.back();
    else void go(`/items/${item.id}`, { replace: true });
  };
  const open = (): void => {
    problem.value = undefined;
    // A PDF has a document of its own, whose policy lets it hold the frame that runs PDF.js.
    if (kind === 'pdf') location.replace(`/read/pdf/${encodeURIComponent(item.id)}`);
    else if (file !== undefined && kind !== undefined)
      Promise.all([readers[kind](), openFile(item, file)])
        .then(([module, of]) =>
          batch(() => {
            reader.value = module.default;
            opened.value = of;
          }),
        )
        .catch((error: unknown) => (problem.value = error));
  };
  useEffect(open, []);
  const Shown = reader.value;
  if (file === undefined)
    return (
      <div class="page">
        <h1>
          <bdi>{item.title}</bdi>
        </h1>
        <Empty title={t('read.none')}>
          <a class="button" href={`/items/${item.id}`}>
            {t('player.back')}
          </a>
        </Empty>
      </div>
    );
  if (problem.value !== undefined) return <PageProblem error={problem.value} retry={open} />;
  if (Shown === null || opened.value === null)
    return (
      <h1 class="unseen" aria-busy="true">
        <bdi>{item.title}</bdi>
      </h1>
    );
  return <Shown {...{ item, file, leave, ...opened.value }} />;
}
