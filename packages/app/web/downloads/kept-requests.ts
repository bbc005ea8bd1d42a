/** What a player asks for, answered by what is kept on this device. */
import { Refusal } from '../core/api.ts';
import { isOnline } from '../core/live.ts';
import { viewer } from '../core/session.ts';
import {
  playersAsk,
  serverRequests,
  type Item,
  type PlayerRequests,
  type Session,
} from '../player/requests.ts';
import { isAudiobook, partsOf } from '../player/timeline.ts';
import { readKept } from './kept-store.ts';
import { keyOf, type Kept, type KeptPlace } from './kept.ts';
import { keepPlace, tellPlaces } from './places.ts';

/** The items that a person plays from the device. */
const chosen = new Set<string>();
/** The files of sessions that play from the device, with their items. */
const items = new Map<string, string>();
const idOf = (fileId: string): string => `device:${fileId}`;

/** What the profile keeps of an item, if all of it is here. */
export async function keptItem(itemId: string): Promise<Kept | undefined> {
  const profileId = viewer.peek()?.profileId;
  if (profileId === undefined) return undefined;
  const kept = await readKept(keyOf(profileId, itemId));
  return kept?.state === 'ready' ? kept : undefined;
}

/** Whether the server is known not to answer. */
export const isAway = (): boolean => !navigator.onLine || !isOnline.peek();

/** The kept item, if it is to be played from the device. */
const fromDevice = async (itemId: string): Promise<Kept | undefined> =>
  chosen.has(itemId) || isAway() ? keptItem(itemId) : undefined;

/** A position in a file as one on the line of its item. */
export function onLine({ item }: Pick<Kept, 'item'>, { fileId, position }: KeptPlace): number {
  const line = partsOf(item.files, { isAudiobook: isAudiobook(item) });
  return (line.find((part) => part.fileId === fileId)?.start ?? 0) + position;
}

/** Where the profile left the item on this device. */
export function playbackHere(kept: Kept): Item['playback'] {
  const { place, item } = kept;
  if (place === null) return item.playback;
  const { duration = item.playback.duration } = place;
  return { ...item.playback, duration, position: onLine(kept, place), completed: false };
}

/** Where the profile left the item: as the server says, else as it was played here. */
async function playbackOf(kept: Kept): Promise<Item['playback']> {
  if (!isAway())
    try {
      await tellPlaces();
      return (await serverRequests.item(kept.item.id)).playback;
    } catch {
      // The server does not answer.
    }
  return playbackHere(kept);
}

async function begin(kept: Kept, fileId: string | undefined): Promise<Session> {
  const session = kept.sessions.find((one) => one.fileId === fileId) ?? kept.sessions[0];
  if (session === undefined) throw new Refusal(404, '', { code: 'not_found' });
  items.set(session.id, kept.item.id);
  return session;
}

const requests: PlayerRequests = {
  item: async (id) => {
    const kept = await fromDevice(id);
    if (kept === undefined) return serverRequests.item(id);
    return { ...kept.item, playback: await playbackOf(kept) };
  },
  files: async (itemId, fileId) => {
    const kept = await fromDevice(itemId);
    if (kept === undefined) return serverRequests.files(itemId, fileId);
    return kept.infos.filter(({ id }) => fileId === undefined || id === fileId);
  },
  begin: async (wanted) => {
    const kept = await fromDevice(wanted.itemId);
    if (kept === undefined) return serverRequests.begin(wanted);
    if (wanted.mode !== 'convert') return begin(kept, wanted.fileId);
    // It does not play as it is after all. The server may convert it.
    if (isAway()) throw new Refusal(409, '', { code: 'unplayable' });
    return serverRequests.begin(wanted);
  },
  change: async (id, change) => {
    const itemId = items.get(id);
    if (itemId === undefined) return serverRequests.change(id, change);
    const kept = await keptItem(itemId);
    const session = kept?.sessions.find((one) => one.id === id);
    // It was removed while it played.
    if (session === undefined) throw new Refusal(404, '', { code: 'not_found' });
    if (change.position !== undefined) {
      const { fileId } = session;
      await keepPlace(itemId, { fileId, position: change.position });
    }
    return session;
  },
  end: async (id) => {
    if (!items.has(id)) await serverRequests.end(id);
  },
  leave: (id, change) => {
    const itemId = items.get(id);
    if (itemId === undefined) serverRequests.leave(id, change);
    else if (change.position !== undefined)
      void keepPlace(itemId, { fileId: id.slice(idOf('').length), position: change.position });
  },
};

/** From now on players play what is kept where the server does not answer. */
export const answerPlayers = (): void => playersAsk(requests);

/** From now on this item is played from the device, also where the server answers. */
export function playFromDevice(itemId: string): void {
  answerPlayers();
  chosen.add(itemId);
}
