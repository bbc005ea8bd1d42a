/** Gathers what is kept with an item: what the server says of it, its picture, its subtitles. */
import { call, readText, Refusal, requestHeaders, type Resources } from '../core/api.ts';
import { testFile } from '../player/capabilities.ts';
import { pictureOf } from '../player/media-session.ts';
import { pathOf, serverRequests, type PlaybackFile, type Session } from '../player/requests.ts';
import { isAudiobook, partsOf } from '../player/timeline.ts';
import { readableFile, readerOf } from '../reader/reader.ts';
import { keyOf, partBytesOf, textKey, type Kept, type KeptFile } from './kept.ts';
import { isBookType, isMedia, mediaType } from './part-reply.ts';

/** Why an item cannot be kept: it needs conversion, or has nothing that plays or is read here. */
export class NotKept extends Error {
  readonly reason: 'conversion' | 'nothing';

  constructor(reason: 'conversion' | 'nothing') {
    super(reason);
    this.reason = reason;
  }
}

const needsConversion = new Set(['unplayable', 'transcoder_missing']);
/** Longer subtitles are left out. */
const mostText = 4_000_000;

/** A session in which the file plays as it is, as the player would begin it. */
async function directSession(itemId: string, info: PlaybackFile): Promise<Session> {
  // The sound that a browser plays of a file.
  const sound = info.tracks.find(({ kind }) => kind === 'audio')?.id;
  try {
    const session = await serverRequests.begin({
      itemId,
      fileId: info.id,
      mode: 'direct',
      client: await testFile(info, null),
      ...(sound !== undefined && { audio: sound }),
    });
    if (session.kind === 'file') return session;
    await serverRequests.end(session.id);
  } catch (error) {
    if (!(error instanceof Refusal) || !needsConversion.has(error.code)) throw error;
  }
  throw new NotKept('conversion');
}

/** What the server says of the bytes of a file. */
async function readFile(fileId: string, isWanted: (type: string) => boolean): Promise<KeptFile> {
  const reply = await fetch(`/api/files/${encodeURIComponent(fileId)}/stream`, {
    method: 'HEAD',
    headers: requestHeaders(),
    cache: 'no-store',
  }).catch(() => {
    throw new Refusal(0, '', { code: 'unreachable' });
  });
  if (!reply.ok) throw new Refusal(reply.status, '', { code: 'failed' });
  const [size, type] = [
    Number(reply.headers.get('content-length')),
    mediaType(reply.headers.get('content-type')),
  ];
  if (!(size > 0) || !isWanted(type)) throw new NotKept('nothing');
  const etag = reply.headers.get('etag');
  return { fileId, size, type, etag, partBytes: partBytesOf(size), parts: 0 };
}

/** The service worker keeps what reads a PDF. */
async function keepPdfReader(): Promise<void> {
  const reply = await fetch('/downloads/pdf-reader').catch(() => undefined);
  if (reply?.ok !== true) throw new Refusal(0, '', { code: 'unreachable' });
}

/** The subtitles of a session that are text. */
async function readTexts({ fileId, tracks }: Session): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const { id, kind, url } of tracks) {
    if (kind !== 'subtitle' || url === null) continue;
    const text = await readText(pathOf(url)).catch(() => '');
    if (text.startsWith('WEBVTT') && text.length <= mostText) texts[textKey(fileId, id)] = text;
  }
  return texts;
}

/** The session as it plays on this device: the sound of the file, and the subtitles that are here. */
export function asKept(session: Session, texts: Readonly<Record<string, string>>): Session {
  const { itemId, fileId } = session;
  const of = [itemId, fileId].map(encodeURIComponent).join('/');
  const tracks = session.tracks.flatMap((track) => {
    if (track.kind !== 'subtitle') return track.isSelected ? [track] : [];
    const isHere = texts[textKey(fileId, track.id)] !== undefined;
    const url = `/downloads/text/${of}/${encodeURIComponent(track.id)}`;
    return isHere ? [{ ...track, url, assUrl: null, supUrl: null }] : [];
  });
  return {
    ...session,
    id: `device:${fileId}`,
    url: `/downloads/file/${of}`,
    progressUrl: '',
    tracks,
    rate: null,
    offer: null,
    trickplayUrl: null,
    reasons: [],
  };
}

/** The picture as tiles show it; `null` = there is none, or it does not come. */
async function readPicture(path: string | undefined): Promise<Blob | null> {
  if (path === undefined) return null;
  try {
    const reply = await fetch(`${path}?width=640&format=webp`, { headers: requestHeaders() });
    const picture = await reply.blob();
    return reply.ok && /^image\/(webp|jpeg|png)$/.test(picture.type) ? picture : null;
  } catch {
    return null;
  }
}

/** An item of a list as one that is to be kept: the server is asked for the rest when it is its turn. */
export const planOf = (
  item: Resources['Item'],
  { user, profileId }: Pick<Resources['Viewer'], 'user' | 'profileId'>,
  addedAt: number,
): Kept => ({
  key: keyOf(profileId, item.id),
  userId: user.id,
  profileId,
  item: {
    ...item,
    subtitles: [],
    ingest: { state: 'complete', errors: [] },
    provenance: [],
    lockedFields: [],
  },
  infos: [],
  sessions: [],
  files: [],
  texts: {},
  picture: null,
  state: 'planned',
  fault: null,
  addedAt,
  place: null,
});

/** All of an item but its bytes; rejects with {@link NotKept} or a refusal of the server. */
export async function collect(
  itemId: string,
  { user, profileId }: Pick<Resources['Viewer'], 'user' | 'profileId'>,
): Promise<Kept> {
  const { item } = await call('get', '/api/items/{id}', { path: { id: itemId } });
  const line = partsOf(item.files, { isAudiobook: isAudiobook(item) });
  const book = line.length === 0 ? readableFile(item.files) : undefined;
  if (line.length === 0 && book === undefined) throw new NotKept('nothing');
  const infos: PlaybackFile[] = [];
  const [sessions, files]: [Session[], KeptFile[]] = [[], []];
  let texts: Readonly<Record<string, string>> = {};
  if (book !== undefined && readerOf(book.filename) === 'pdf') await keepPdfReader();
  if (book !== undefined) files.push(await readFile(book.id, isBookType));
  for (const { fileId } of line) {
    const [info] = await serverRequests.files(itemId, fileId);
    if (info === undefined) throw new NotKept('nothing');
    const session = await directSession(itemId, info);
    try {
      files.push(await readFile(fileId, isMedia));
      texts = { ...texts, ...(await readTexts(session)) };
    } finally {
      await serverRequests.end(session.id).catch(() => {});
    }
    infos.push(info);
    sessions.push(asKept(session, texts));
  }
  return {
    key: keyOf(profileId, itemId),
    userId: user.id,
    profileId,
    item,
    infos,
    sessions,
    files,
    texts,
    picture: await readPicture(pictureOf(item)),
    state: 'wanted',
    fault: null,
    addedAt: Date.now(),
    place: null,
  };
}
