import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { moved, OrderedList } from '../ui/ordered-list.tsx';
import { iconOf, pictureUrl, tilePath } from '../ui/tile.tsx';
import { attempt, say } from '../ui/toast.tsx';
import { addToList, moveLine, removeLine, type List, type ListLine } from './list-data.ts';

/** One line: a small picture, the title and what it belongs to. */
export const LineContent = ({ line: { tile } }: { readonly line: ListLine }) => (
  <a class="line-link" href={tilePath(tile)}>
    <span class="line-picture">
      {tile.picture === null ? (
        <Icon name={iconOf(tile.type)} />
      ) : (
        <img src={pictureUrl(tile.picture.id, 160)} alt="" loading="lazy" />
      )}
    </span>
    <span>
      <bdi class="title">{tile.title}</bdi>
      <small>{tile.subtitle ?? tile.year ?? ''}</small>
    </span>
  </a>
);

interface ListLinesProps {
  readonly list: List;
  readonly lines: readonly ListLine[];
  /** Shows other lines at once, before the server has answered. */
  readonly show: (lines: readonly ListLine[]) => void;
  readonly reload: () => void;
}

/** The lines of a list with buttons that move and remove them, and choose the cover. */
export function ListLines({ list, lines, show, reload }: ListLinesProps) {
  const work = async (
    shown: readonly ListLine[],
    act: () => Promise<unknown>,
  ): Promise<boolean> => {
    show(shown);
    const isDone = await attempt(act);
    reload();
    return isDone;
  };
  const move = (from: number, to: number): void => {
    const line = lines[from];
    if (line !== undefined) void work(moved(lines, from, to), () => moveLine(list, line, to));
  };
  async function remove(line: ListLine, at: number): Promise<void> {
    const rest = lines.filter((one) => one !== line);
    if (!(await work(rest, () => removeLine(list, line)))) return;
    say(
      t('lists.removed', { name: line.tile.title }),
      () =>
        void attempt(async () => {
          await addToList(list, [line.itemId], at);
          reload();
        }),
    );
  }
  const cover = (itemId: string): void =>
    void attempt(async () => {
      const coverItemId = list.coverItemId === itemId ? null : itemId;
      await call('patch', '/api/collections/{id}', {
        path: { id: list.id },
        body: { coverItemId },
      });
      reload();
    }, t('state.saved'));
  return (
    <OrderedList
      label={list.name}
      onMove={move}
      lines={lines.map((line, at) => {
        const name = line.tile.title;
        return {
          key: line.key,
          name,
          content: <LineContent line={line} />,
          buttons: (
            <>
              <IconButton
                icon="photo"
                label={t('lists.cover', { name })}
                aria-pressed={list.coverItemId === line.itemId}
                act={() => cover(line.itemId)}
              />
              <IconButton
                icon="close"
                label={t('action.removeName', { name })}
                act={() => remove(line, at)}
              />
            </>
          ),
        };
      })}
    />
  );
}
