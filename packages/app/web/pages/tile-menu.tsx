import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { go } from '../core/router.ts';
import { isUser } from '../core/session.ts';
import { playQueue } from '../player/queue.ts';
import { readableFile, type BookItem } from '../reader/reader.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Ready } from '../ui/states.tsx';
import { attempt, say } from '../ui/toast.tsx';
import { ListChoice } from './add-to-list.tsx';
import { markWords } from '../ui/taken-in.ts';

/** What can be done with a title without opening its page. */
export default function TileMenu({
  id,
  close,
}: {
  readonly id: string;
  readonly close: () => void;
}) {
  const item = useResource(`item:${id}`, [`item:${id}`], () =>
    call('get', '/api/items/{id}', { path: { id } }),
  );
  const choosesList = useSignal(false);
  if (isUser.value && choosesList.value) return <ListChoice itemIds={[id]} close={close} />;
  return (
    <Dialog title={item.value.value?.item.title ?? t('menu.title')} onClose={close}>
      <Ready of={item}>
        {({ item: one }) => (
          <Actions item={one} close={close} addToList={() => (choosesList.value = true)} />
        )}
      </Ready>
    </Dialog>
  );
}

interface Act {
  readonly icon: IconName;
  readonly label: string;
  readonly act: () => unknown;
}

const kindOf = (files: BookItem['files']) =>
  files.find(({ classification }) => classification === 'primary')?.mediaKind;

/** How the item is played, by what it is. */
function playOf(item: BookItem): Act | undefined {
  const { id, files } = item;
  const kind = kindOf(files);
  if (kind === 'video')
    return { icon: 'play', label: t('action.play'), act: () => go(`/watch/${id}`) };
  if (kind === 'audio')
    return { icon: 'play', label: t('action.play'), act: () => playQueue([id], 0) };
  if (readableFile(files) !== undefined)
    return { icon: 'book', label: t('action.read'), act: () => go(`/read/${id}`) };
  return undefined;
}

function Actions({
  item,
  close,
  addToList,
}: {
  readonly item: BookItem;
  readonly close: () => void;
  readonly addToList: () => void;
}) {
  const { id, favourite, playback } = item;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('button')?.focus(), []);
  const change = (what: () => Promise<unknown>) => () =>
    attempt(async () => {
      await what();
      invalidate(
        (topic) => topic === `item:${id}` || topic === 'playback' || topic === 'favourite',
      );
    });
  const { position, duration } = playback;
  const goOnAgain = change(() =>
    call('put', '/api/items/{id}/playback', {
      path: { id },
      body: { position, ...(duration > 0 && { duration }) },
    }),
  );
  const stop = async (): Promise<void> => {
    const isOut = await change(() =>
      call('delete', '/api/items/{id}/playback', { path: { id } }),
    )();
    if (isOut) say(t('menu.notContinued'), () => void goOnAgain());
  };
  const play = playOf(item);
  const mark = change(() =>
    call('put', '/api/items/{id}/watched', {
      path: { id },
      body: { watched: !playback.completed },
    }),
  );
  const like = change(() =>
    call(favourite ? 'delete' : 'put', '/api/items/{id}/favourite', { path: { id } }),
  );
  const marks: readonly Act[] = [
    { icon: 'check', label: markWords(kindOf(item.files), playback.completed), act: mark },
    ...(position > 0 && !playback.completed
      ? [{ icon: 'close', label: t('menu.doNotContinue'), act: stop } as const]
      : []),
    { icon: 'heart', label: favourite ? t('menu.noFavourite') : t('action.favourite'), act: like },
  ];
  const acts: readonly Act[] = [
    ...(play === undefined ? [] : [play]),
    ...(isUser.value ? marks : []),
    { icon: 'info', label: t('menu.open'), act: () => go(`/items/${id}`) },
  ];
  return (
    <ul class="menu-lines" ref={list}>
      {acts.map(({ icon, label, act }) => (
        <li key={label}>
          <button
            type="button"
            class="choice"
            onClick={() => {
              close();
              void act();
            }}
          >
            <Icon name={icon} />
            {label}
          </button>
        </li>
      ))}
      {isUser.value && (
        <li>
          <button type="button" class="choice" onClick={addToList}>
            <Icon name="plus" />
            {t('lists.add')}
          </button>
        </li>
      )}
    </ul>
  );
}
