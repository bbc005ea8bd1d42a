/** Requests that change something. What was acknowledged must be there in the end. */

/** One request of a round. */
export interface Request {
  readonly method: string;
  readonly route: string;
  readonly body?: unknown;
  readonly token?: string;
  /** What it sets, and to what; absent = nothing that is checked. */
  readonly sets?: { readonly what: string; readonly value: unknown };
}

/** The record of requests and their answers. */
export interface Acknowledged {
  /** The requests of one turn: every turn asks a part of all that there are. */
  readonly requests: (turn: number) => readonly Request[];
  readonly heard: (
    request: Request,
    answer: { readonly status: number; readonly text: string },
  ) => void;
  /** Acknowledged changes that are not there, in words. */
  readonly wrongs: (
    ask: (method: string, route: string, body?: unknown, token?: string) => Promise<object>,
  ) => Promise<readonly string[]>;
}

/** What the requests are about. */
export interface AcknowledgedParts {
  readonly itemIds: readonly string[];
  readonly libraryId: string;
  /** Of a session that has not ended. */
  readonly token: () => string;
}

/** So many requests of a turn are under way at once. */
const perTurn = 4;
const names = 12;

/** Creates an empty record. */
export function createAcknowledged({ itemIds, libraryId, token }: AcknowledgedParts): Acknowledged {
  /** By what was set: every value that may be there. A refused one may be there, too. */
  const promised = new Map<string, Set<unknown>>();
  const keys = new Set<string>();

  const item = (turn: number): string => itemIds[turn % itemIds.length] ?? '';

  const makers: readonly ((turn: number) => Request)[] = [
    (turn) => ({
      method: 'PUT',
      route: `/api/items/${item(turn)}/playback`,
      body: { position: turn + 1, duration: 100_000 },
      sets: { what: `position ${item(turn)}`, value: turn + 1 },
    }),
    () => ({ method: 'GET', route: '/api/items?limit=20' }),
    (turn) => ({
      method: 'POST',
      route: '/api/plugins/keeper/actions/keep',
      body: { key: `key-${turn % names}`, value: turn },
      sets: { what: `kv key-${turn % names}`, value: turn },
    }),
    () => ({ method: 'POST', route: '/api/jobs', body: { type: 'scan', libraryId } }),
    (turn) => ({ method: 'GET', route: `/api/items/${item(turn)}` }),
    () => ({ method: 'GET', route: '/api/search?q=Film' }),
    (turn) => ({
      method: 'PATCH',
      route: `/api/items/${item(turn)}`,
      body: { metadata: { note: turn } },
      sets: { what: `note ${item(turn)}`, value: turn },
    }),
    (turn) => ({
      method: 'POST',
      route: '/api/collections',
      body: { distributedId: `c${turn}`, name: `Collection ${turn}` },
      sets: { what: `collection c${turn}`, value: true },
    }),
    () => ({ method: 'GET', route: '/api/jobs' }),
    () => ({ method: 'GET', route: '/api/entities?type=person' }),
    (turn) => ({
      method: 'POST',
      route: '/api/api-keys',
      body: { name: `key ${turn}`, role: 'guest' },
      sets: { what: `api key ${turn}`, value: true },
    }),
    () => ({ method: 'GET', route: '/api/notifications' }),
    () => ({ method: 'GET', route: '/api/stats' }),
    (turn) => ({
      method: 'POST',
      route: '/api/groups',
      body: { name: `Group ${turn}` },
      sets: { what: `group Group ${turn}`, value: true },
    }),
    () => ({ method: 'GET', route: '/api/audit' }),
    () => ({ method: 'GET', route: '/api/users' }),
    () => ({ method: 'GET', route: '/api/collections' }),
    () => ({ method: 'GET', route: '/api/continue-watching' }),
    () => ({ method: 'GET', route: '/api/backups' }),
    (turn) => ({
      method: 'POST',
      route: '/api/invites',
      body: { maxUses: (turn % 900) + 1 },
    }),
    () => ({ method: 'POST', route: '/api/scheduler/notifications/run' }),
    () => ({ method: 'GET', route: '/api/libraries' }),
  ];
  const seldom: readonly ((turn: number) => Request)[] = [
    () => ({ method: 'POST', route: '/api/backups', body: { label: 'faults' } }),
    () => ({
      method: 'POST',
      route: '/api/auth/login',
      body: { name: 'Ada', password: 'correct horse battery' },
    }),
    () => ({ method: 'POST', route: '/api/jobs', body: { type: 'refresh', libraryId } }),
    () => ({ method: 'DELETE', route: '/api/jobs?status=completed,cancelled' }),
  ];

  function requests(turn: number): readonly Request[] {
    const picked = Array.from(
      { length: perTurn },
      (_, at) => makers[(turn * perTurn + at) % makers.length]?.(turn) ?? [],
    ).flat();
    const rare = turn % 8 === 0 ? seldom[(turn / 8) % seldom.length]?.(turn) : undefined;
    return rare === undefined ? picked : [...picked, rare];
  }

  return {
    requests,
    heard: ({ sets }, { status, text }) => {
      if (sets === undefined) return;
      const isDone = status >= 200 && status < 300;
      if (isDone && sets.what.startsWith('api key'))
        keys.add((JSON.parse(text) as { token: string }).token);
      const before = promised.get(sets.what);
      if (isDone) promised.set(sets.what, new Set([sets.value]));
      else promised.set(sets.what, new Set([...(before ?? [undefined]), sets.value]));
    },
    wrongs: async (ask) => {
      const found = new Map<string, unknown>();
      const list = async (
        route: string,
        name: string,
      ): Promise<readonly Record<string, unknown>[]> => {
        const all: Record<string, unknown>[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
          const page = (await ask(
            'GET',
            `${route}?limit=500${more}`,
            undefined,
            token(),
          )) as Record<string, unknown>;
          all.push(...(page[name] as readonly Record<string, unknown>[]));
          cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : null;
        }
        return all;
      };
      for (const one of await list('/api/collections', 'collections'))
        found.set(`collection ${String(one['distributedId'])}`, true);
      for (const one of await list('/api/groups', 'groups'))
        found.set(`group ${String(one['name'])}`, true);
      for (const one of await list('/api/api-keys', 'apiKeys'))
        found.set(`api ${String(one['name'])}`, true);
      for (const what of promised.keys()) {
        const [kind, id = ''] = what.split(' ');
        if (kind === 'position') {
          const { playback } = (await ask(
            'GET',
            `/api/items/${id}/playback`,
            undefined,
            token(),
          )) as {
            playback: { position: number } | null;
          };
          found.set(what, playback?.position === 0 ? undefined : playback?.position);
        }
        if (kind === 'note') {
          const { item: shown } = (await ask('GET', `/api/items/${id}`, undefined, token())) as {
            item: { metadata: { note?: number } };
          };
          found.set(what, shown.metadata.note);
        }
        if (kind === 'kv') {
          const { result } = (await ask('POST', '/api/plugins/keeper/actions/recall', {
            key: id,
          })) as {
            result: { value: { value?: unknown } | null };
          };
          const { value } = result;
          found.set(
            what,
            typeof value === 'object' && value !== null && 'value' in value
              ? value.value
              : (value ?? undefined),
          );
        }
      }
      const wrongs: string[] = [];
      for (const [what, values] of promised)
        if (!values.has(found.get(what)))
          wrongs.push(`${what} is ${String(found.get(what))} and not ${[...values].join(' or ')}`);
      for (const key of keys)
        await ask('GET', '/api/auth/me', undefined, key).catch((error: unknown) =>
          wrongs.push(`a key: ${String(error)}`),
        );
      return wrongs;
    },
  };
}
