import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call } from '../core/api.ts';
import { findTitles } from '../core/find-titles.ts';
import { t, type MessageKey } from '../core/messages.ts';
import { useResource } from '../core/resource.ts';
import { go } from '../core/router.ts';
import { isAdmin } from '../core/session.ts';
import { pieceName } from '../pieces/hidden-pieces.ts';
import { pluginPage, type ActionPiece } from '../pieces/piece.ts';
import { usePieces, usePluginNames } from '../pieces/plugin-slot.tsx';
import { mayRun, runAction } from '../pieces/run-action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { entityPath, iconOf } from '../ui/tile.tsx';

interface Line {
  /** Two lines with the same one are the same line. */
  readonly key: string;
  readonly open: () => void;
  readonly icon: IconName;
  readonly title: string;
  readonly about?: string;
}

const places: readonly (readonly [href: string, icon: IconName, label: MessageKey])[] = [
  ['/', 'home', 'nav.home'],
  ['/search', 'search', 'nav.search'],
  ['/libraries', 'library', 'nav.libraries'],
  ['/lists', 'list', 'nav.lists'],
  ['/account', 'user', 'nav.account'],
];
const view = 'ui.shell';
const longestCommand = 80;
const searchPauseMs = 120;
const mostFound = 12;

/** A line that leads to a page of the app. */
const lineTo = (href: string, line: Omit<Line, 'key' | 'open'>): Line => ({
  ...line,
  key: href,
  open: () => void go(href),
});

const matches = ({ title }: Line, text: string): boolean =>
  title.toLocaleLowerCase().includes(text.toLocaleLowerCase());

function ownPlaces(): readonly Line[] {
  const lines = places.map(([href, icon, label]) => lineTo(href, { icon, title: t(label) }));
  return isAdmin.value
    ? [...lines, lineTo('/admin', { icon: 'settings', title: t('nav.admin') })]
    : lines;
}

/** Titles, shows and people of a text; nothing while the server does not answer. */
async function find(text: string, signal: AbortSignal): Promise<readonly Line[]> {
  const { items, entities } = await findTitles(text, mostFound, signal);
  return [
    ...entities.slice(0, mostFound / 2).map(({ id, type, name }) =>
      lineTo(entityPath(type, id), {
        icon: iconOf(type),
        title: name,
        about: t(`entity.type.${type}` as 'entity.type.show'),
      }),
    ),
    ...items.map(({ id, type, title, libraryName }) =>
      lineTo(`/items/${id}`, { icon: iconOf(type), title, about: libraryName }),
    ),
  ];
}

/** Commands of plugins: an action runs, all else leads to the page of the plugin. */
function useCommands(): readonly Line[] {
  const pieces = usePieces({ view, context: {} }).filter(({ slot }) => slot === 'command-palette');
  const nameOf = usePluginNames();
  return pieces.map((piece) => {
    const pluginName = nameOf(piece.pluginId);
    const run = async (action: ActionPiece): Promise<void> => {
      if (await mayRun(action, pluginName))
        await runAction({ ...action, pluginName, view, context: {} });
    };
    return {
      key: `plugin ${pieceName(piece)}`,
      icon: (piece.type === 'action' ? piece.icon : undefined) ?? 'plugin',
      title: piece.title.slice(0, longestCommand),
      about: t('piece.from', { plugin: pluginName }),
      open: () => void (piece.type === 'action' ? run(piece) : go(pluginPage(piece))),
    };
  });
}

/** Goes anywhere by a few letters: to pages, libraries, titles and commands of plugins. */
export default function Palette({ close }: { readonly close: () => void }) {
  const text = useSignal('');
  const found = useSignal<readonly Line[]>([]);
  const at = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const libraries = useResource('libraries', ['library'], () => call('get', '/api/libraries'));
  const commands = useCommands();
  const asked = text.value.trim();
  useEffect(() => {
    at.value = 0;
    found.value = [];
    if (asked === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      find(asked, abort.signal).then(
        (lines) => (found.value = lines),
        () => {},
      );
    }, searchPauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked]);
  const own: readonly Line[] = [
    ...ownPlaces(),
    ...(libraries.value.value?.libraries ?? []).map(({ id, name }) =>
      lineTo(`/libraries/${id}`, { icon: 'library', title: name, about: t('nav.libraries') }),
    ),
  ];
  // Those of plugins come last: no name that a plugin chooses moves what the server found.
  const ofPlugins = commands.filter((line) => matches(line, asked));
  const lines = [...own.filter((line) => matches(line, asked)), ...found.value, ...ofPlugins];
  const chosen = Math.min(at.value, lines.length - 1);
  const open = (line: Line | undefined): void => {
    if (line === undefined) return;
    close();
    line.open();
  };
  const move = (by: number): void => {
    if (lines.length === 0) return;
    at.value = (chosen + by + lines.length) % lines.length;
    list.current?.children[at.peek()]?.scrollIntoView({ block: 'nearest' });
  };
  const press = (event: KeyboardEvent): void => {
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => open(lines[chosen]),
    };
    const act = actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <Dialog title={t('palette.title')} onClose={close}>
      <input
        class="palette-field"
        type="text"
        role="combobox"
        aria-label={t('palette.title')}
        aria-expanded="true"
        aria-controls="palette-lines"
        aria-activedescendant={chosen < 0 ? undefined : `palette-${chosen}`}
        placeholder={t('palette.hint')}
        autocomplete="off"
        autofocus
        maxLength={500}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={press}
      />
      <ul
        class="palette-lines"
        role="listbox"
        id="palette-lines"
        ref={list}
        aria-label={t('palette.title')}
      >
        {lines.map((line, number) => (
          <li
            key={line.key}
            id={`palette-${number}`}
            role="option"
            aria-selected={number === chosen}
            onClick={() => open(line)}
          >
            <Icon name={line.icon} />
            <bdi>{line.title}</bdi>
            <small>{line.about}</small>
          </li>
        ))}
      </ul>
      {lines.length === 0 && <p class="empty">{t('search.nothing', { query: asked })}</p>}
    </Dialog>
  );
}
