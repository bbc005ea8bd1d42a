/** A client that edits a playlist, and knows what the server has acknowledged. */
import type { TestServer } from '../servers/server.ts';

export interface ShownEntry {
  readonly id: string;
  readonly position: number;
  readonly item: { readonly id: string };
}

/** What one client did since the last listing. Only it touches its entries. */
export interface Edits {
  /** Entries that it may change. */
  readonly own: Set<string>;
  readonly added: Set<string>;
  readonly removed: Set<string>;
  /** Entries that it moved to the front or to the end, or added at the end; the latest is last. */
  readonly ends: Map<string, 'front' | 'back'>;
  /** The edit that was sent and not answered: `null` entry = an addition. */
  pending: { readonly entry: string | null } | null;
  /** Replies that no right server gives. */
  readonly wrongs: string[];
}

/** Edits of a client that owns these entries. */
export const newEdits = (own: readonly string[]): Edits => ({
  ...{ own: new Set(own), added: new Set(), removed: new Set(), ends: new Map() },
  ...{ pending: null, wrongs: [] },
});

/** All entries of a playlist, in its order. */
export async function entriesOf(server: TestServer, id: string): Promise<readonly ShownEntry[]> {
  const { entries } = await server.get<{ entries: readonly ShownEntry[] }>(
    `/api/collections/${id}/entries?limit=500`,
  );
  return entries;
}

/** Edits until the server no longer answers; calls `onAnswer` after each answer. */
export async function edit(
  edits: Edits,
  {
    server,
    route,
    items,
    random,
    onAnswer,
  }: {
    readonly server: TestServer;
    /** `/api/collections/<id>/entries` */
    readonly route: string;
    readonly items: readonly string[];
    readonly random: () => number;
    readonly onAnswer: () => void;
  },
): Promise<void> {
  const pick = <Value>(values: readonly Value[]): Value | undefined =>
    values[Math.floor(random() * values.length)];
  for (;;) {
    const entry = pick([...edits.own]);
    const dice = random();
    const work =
      entry === undefined || dice < 0.3
        ? { entry: null, run: add }
        : { entry, run: dice < 0.45 ? remove : dice < 0.75 ? toFront : toBack };
    edits.pending = { entry: work.entry };
    try {
      await work.run(work.entry ?? '');
    } catch {
      return;
    }
    edits.pending = null;
    onAnswer();
  }

  async function add(): Promise<void> {
    const reply = await server.request('POST', route, { itemIds: [pick(items)] });
    const [made] = (reply.body as { entries?: readonly ShownEntry[] }).entries ?? [];
    if (reply.status !== 201 || made === undefined) {
      wrong('addition', reply);
      return;
    }
    edits.own.add(made.id);
    edits.added.add(made.id);
    edits.ends.set(made.id, 'back');
  }

  async function remove(id: string): Promise<void> {
    const reply = await server.request('DELETE', `${route}/${id}`);
    if (reply.status !== 204) {
      wrong('removal', reply);
      return;
    }
    edits.own.delete(id);
    edits.removed.add(id);
    edits.ends.delete(id);
  }

  function toFront(id: string): Promise<void> {
    return move(id, 0, 'front');
  }

  function toBack(id: string): Promise<void> {
    return move(id, 100_000, 'back');
  }

  async function move(id: string, position: number, end: 'front' | 'back'): Promise<void> {
    const reply = await server.request('PATCH', `${route}/${id}`, { position });
    const { entry } = reply.body as { entry?: ShownEntry };
    const isThere = end === 'back' || entry?.position === 0;
    if (reply.status !== 200 || entry?.id !== id || !isThere) {
      wrong('move', reply);
      return;
    }
    edits.ends.delete(id);
    edits.ends.set(id, end);
  }

  function wrong(what: string, reply: object): void {
    edits.wrongs.push(`The ${what} was answered with ${JSON.stringify(reply).slice(0, 200)}.`);
  }
}

/** What is wrong with a playlist after edits of clients; `before` is the listing before them. */
export function wrongsIn(
  before: readonly string[],
  after: readonly ShownEntry[],
  clients: readonly Edits[],
): readonly string[] {
  const ids = after.map(({ id }) => id);
  const placeOf = new Map(ids.map((id, at) => [id, at]));
  const unsure = new Set(clients.flatMap(({ pending }) => pending?.entry ?? []));
  const removed = new Set(clients.flatMap((one) => [...one.removed]));
  const known = [...before, ...clients.flatMap((one) => [...one.added])];
  const expected = known.filter((id) => !removed.has(id) && !unsure.has(id));
  const ends = clients.flatMap((one) => [...one.ends.keys()]);
  const isStill = (id: string): boolean =>
    !ends.includes(id) && !removed.has(id) && !unsure.has(id);
  const still = before.filter(isStill);
  const further = ids.filter((id) => !known.includes(id));
  const unanswered = clients.filter(({ pending }) => pending?.entry === null).length;
  const wrongs = clients.flatMap((one) => one.wrongs);
  if (placeOf.size !== ids.length) wrongs.push('An entry stands twice.');
  if (after.some(({ position }, at) => position !== at)) wrongs.push('The positions have gaps.');
  for (const id of expected) if (!placeOf.has(id)) wrongs.push(`Entry ${id} is lost.`);
  for (const id of removed) if (placeOf.has(id)) wrongs.push(`Entry ${id} was removed.`);
  if (further.length > unanswered) wrongs.push(`There are ${further.length} unknown entries.`);
  const isOrdered = (order: readonly string[]): boolean =>
    order.every(
      (id, at) => at === 0 || (placeOf.get(order[at - 1] ?? '') ?? -1) < (placeOf.get(id) ?? -1),
    );
  if (!isOrdered(still)) wrongs.push('Entries that nobody moved have another order.');
  for (const client of clients) {
    const of = (end: 'front' | 'back'): readonly string[] =>
      [...client.ends].flatMap(([id, at]) => (at === end && !unsure.has(id) ? [id] : []));
    const order = [...of('front').toReversed(), ...still, ...of('back')];
    if (!isOrdered(order)) wrongs.push('An acknowledged move is lost.');
  }
  return wrongs;
}
