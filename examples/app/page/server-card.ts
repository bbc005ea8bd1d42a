import type { Resources, Server } from '@vitrine/client';
import { button, el } from './dom.ts';

/** One server on the page. */
export interface ServerCard {
  readonly element: HTMLElement;
  /** Shows the present state, and the contents of the server once it is online. */
  readonly update: () => void;
}

const words = { online: 'Online', offline: 'Offline', connecting: 'Connecting …' } as const;

export function createServerCard(server: Server, failed: (error: unknown) => void): ServerCard {
  const badge = el('span');
  const why = el('p', { class: 'quiet' });
  const tryNow = button('Try now', () => server.connect(), { failed });
  const contents = el('div');
  const { name, baseUrl, isPlainHttp, serverId } = server.state();
  const headingId = `server-${serverId}`;
  const element = el(
    'section',
    { class: 'card', 'aria-labelledby': headingId },
    el('div', { class: 'top' }, el('h2', { id: headingId }, name), badge),
    el('p', { class: 'quiet' }, new URL(baseUrl).host),
    isPlainHttp
      ? el(
          'p',
          { class: 'warning' },
          'Not encrypted: anyone in the same network can read along and use your session.',
        )
      : null,
    why,
    tryNow,
    contents,
  );
  let isFilled = false;

  async function fill(): Promise<void> {
    isFilled = true;
    try {
      const [libraries, recent] = await Promise.all([
        server.libraries(),
        server.items({ sortBy: 'addedAt', sortOrder: 'desc', limit: 8 }),
      ]);
      contents.replaceChildren(...libraryList(libraries), ...recentList(recent.items));
    } catch (error) {
      isFilled = false;
      if (server.state().status === 'online') failed(error);
    }
  }

  return {
    element,
    update: () => {
      const { status, error, retryAt } = server.state();
      badge.className = `badge ${status}`;
      badge.textContent = words[status];
      why.hidden = error === null;
      const next = retryAt === null ? '' : ` Next try at ${timeOf(retryAt)}.`;
      const said =
        error?.code === 'unreachable' ? 'The server does not answer.' : (error?.message ?? '');
      why.textContent = `${said}${next}`;
      tryNow.hidden = status !== 'offline';
      if (status === 'online' && !isFilled) void fill();
    },
  };
}

const timeOf = (ms: number): string => new Date(ms).toLocaleTimeString();

function libraryList(libraries: readonly Resources['Library'][]): readonly HTMLElement[] {
  const rows = libraries.map(({ name, itemCount }) => row(name, itemCount.toLocaleString()));
  return [el('h3', {}, 'Libraries'), rows.length > 0 ? el('ul', {}, ...rows) : nothing()];
}

function recentList(items: readonly Resources['Item'][]): readonly HTMLElement[] {
  const rows = items.map(({ title, metadata }) => {
    const { year } = metadata;
    return row(title, typeof year === 'number' ? String(year) : '');
  });
  return [el('h3', {}, 'Recently added'), rows.length > 0 ? el('ul', {}, ...rows) : nothing()];
}

const row = (left: string, right: string): HTMLElement =>
  el('li', {}, el('span', {}, left), el('span', {}, right));

const nothing = (): HTMLElement => el('p', { class: 'quiet' }, 'Nothing yet.');
