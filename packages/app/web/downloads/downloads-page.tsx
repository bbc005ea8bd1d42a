import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isOnline } from '../core/live.ts';
import { t } from '../core/messages.ts';
import { go } from '../core/router.ts';
import {
  canKeep,
  coming,
  freeSpace,
  kept,
  pauseDownloads,
  removeDownloads,
  resumeDownload,
  startDownloads,
} from './downloads.ts';
import { faultText, refusalText } from './download-words.ts';
import { percentOf } from './percent.ts';
import { playFromDevice } from './kept-requests.ts';
import { bytesHere, bytesOf, isBook, isComing, type Kept } from './kept.ts';
import { makerOf } from '../player/media-session.ts';
import { titleOf } from '../player/next-episode.ts';
import { playQueue } from '../player/queue.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { useTitle } from '../ui/title.ts';
import { sizeOf } from '../ui/words.ts';

/** Reads what is kept before the page is shown. */
export const prepare = (): Promise<void> => startDownloads();

const attempt = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    say(refusalText(error));
  }
};

/** What this profile keeps on this device. It is read from the device alone, so it works without the server. */
export default function Downloads() {
  useTitle(t('nav.downloads'));
  useEffect(() => void startDownloads(), []);
  const list = kept.value;
  return (
    <div class="page downloads">
      <header class="page-header">
        <h1>{t('nav.downloads')}</h1>
        {list.length > 0 && (
          <Button
            kind="danger"
            act={() =>
              attempt(async () => {
                const question = {
                  title: t('downloads.removeAll'),
                  text: t('downloads.removeAllText', { count: list.length }),
                  action: t('downloads.removeAll'),
                };
                if (await confirm(question)) await removeDownloads(list.map(({ key }) => key));
              })
            }
          >
            <Icon name="trash" />
            {t('downloads.removeAll')}
          </Button>
        )}
      </header>
      {list.length === 0 ? (
        <Empty title={t('downloads.empty')}>
          <p class="fine">{canKeep() ? t('downloads.emptyText') : t('downloads.insecure')}</p>
        </Empty>
      ) : (
        <>
          <Space list={list} />
          <ul class="downloads-list">
            {list.map((one) => (
              <Download key={one.key} one={one} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** How much room they take, and whether the browser may take it back. */
function Space({ list }: { readonly list: readonly Kept[] }) {
  const free = useSignal<number | undefined>(undefined);
  const isPersisted = useSignal(true);
  const used = list.reduce((sum, one) => sum + bytesHere(one), 0);
  useEffect(() => {
    void freeSpace().then((bytes) => (free.value = bytes));
    void navigator.storage.persisted().then((is) => (isPersisted.value = is));
  }, [list.length]);
  return (
    <p class="fine">
      {free.value === undefined
        ? t('downloads.used', { used: sizeOf(used) })
        : t('downloads.usedOf', { used: sizeOf(used), free: sizeOf(free.value) })}{' '}
      {!isPersisted.value && t('downloads.notPersisted')}
    </p>
  );
}

/** The first file that is kept says what an item is; while it is planned, the first of the item. */
const isVideo = ({ item, files }: Kept): boolean => {
  const fileId = files[0]?.fileId ?? item.files[0]?.id;
  return item.files.some(({ id, mediaKind }) => mediaKind === 'video' && id === fileId);
};

/** What a download is doing, in words. */
function statusOf(one: Kept, share: number): string {
  const size = sizeOf(bytesOf(one));
  if (one.state === 'ready') return size;
  const fault = faultText(one);
  if (fault !== undefined) return fault;
  const percent = percentOf(share);
  if (one.state === 'paused') return t('downloads.paused', { percent, size });
  const now = coming.value;
  if (now?.key !== one.key) return t('downloads.queued', { size });
  if (now.waits || !isOnline.value) return t('downloads.waits', { percent, size });
  return t('downloads.coming', { percent, size });
}

function Download({ one }: { readonly one: Kept }) {
  const { item, key, state } = one;
  const hasPicture = useSignal(one.picture !== null);
  const now = coming.value;
  const here = bytesHere(one) + (now?.key === key ? now.bytes : 0);
  const share = Math.min(1, here / Math.max(1, bytesOf(one)));
  const title = titleOf(item);
  const maker = makerOf(item);
  const isRead = isBook(one);
  const play = (): void => {
    if (isRead) {
      void go(`/read/${item.id}`);
      return;
    }
    playFromDevice(item.id);
    if (isVideo(one)) void go(`/watch/${item.id}?device`);
    else void playQueue([{ id: item.id, title }], 0);
  };
  return (
    <li class="download">
      {hasPicture.value ? (
        <img
          src={`/downloads/picture/${item.id}`}
          alt=""
          onError={() => (hasPicture.value = false)}
        />
      ) : (
        <span class="download-picture">
          <Icon name={isRead ? 'book' : isVideo(one) ? 'film' : 'music'} size={28} />
        </span>
      )}
      <div>
        <h2>
          <bdi>{title}</bdi>
        </h2>
        {maker !== '' && (
          <small>
            <bdi>{maker}</bdi>
          </small>
        )}
        <p class={state === 'failed' ? 'download-fault' : 'fine'}>{statusOf(one, share)}</p>
        {state !== 'ready' && (
          <progress max={1} value={share} aria-label={t('downloads.progressOf', { title })} />
        )}
      </div>
      <p class="buttons">
        {state === 'ready' && (
          <Button
            kind="primary"
            label={isRead ? t('downloads.read', { title }) : t('action.playTitle', { title })}
            onClick={play}
          >
            <Icon name={isRead ? 'book' : 'play'} />
            {isRead ? t('action.read') : t('action.play')}
          </Button>
        )}
        {isComing(one) && (
          <IconButton
            icon="pause"
            label={t('downloads.pause', { title })}
            act={() => attempt(() => pauseDownloads([key]))}
          />
        )}
        {(state === 'paused' || state === 'failed') && (
          <IconButton
            icon={state === 'paused' ? 'download' : 'refresh'}
            label={t('downloads.resume', { title })}
            act={() => attempt(() => resumeDownload(one))}
          />
        )}
        <IconButton
          icon="trash"
          label={t('downloads.remove', { title })}
          act={() => attempt(() => removeDownloads([key]))}
        />
      </p>
    </li>
  );
}
