/**
 * What the addresses of a session answer. Each request asks the access filter again, and compares the
 * file with the one that was planned: bytes of another file are never sent as if they were of this one.
 */
import type { TranscodeIndex } from '../../../plugin-api/index.ts';
import type { Filesystems, OpenedSource } from '../../files/filesystems/index.ts';
import type { Files } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { StreamAnswer, StreamRequest, Streams, Texts } from '../streaming/index.ts';
import {
  copyPlan,
  createReadMemory,
  joinPlans,
  sizeOf,
  type Conversions,
  type ConversionWork,
  type PlanPart,
  type Plans,
} from '../transcoding/index.ts';
import { trickplayCues, type TrickplayStore } from '../trickplay/index.ts';
import { segmentsOf, type CutList } from './cut-list.ts';
import { masterPlaylist } from './master-playlist.ts';
import { mediaPlaylist, textPlaylist } from './media-playlist.ts';
import { secondsOf } from './playable-file.ts';
import type { PlaybackSessions } from './sessions.ts';
import {
  areCopied,
  chosenTracks,
  cutsOf,
  extensionOf,
  firstParts,
  folderOf,
  workOf,
  type FirstPart,
} from './session-work.ts';
import type { Quality, Session, SessionTrack } from './session.ts';

/** One quality of a track of a session. */
export interface WantedQuality {
  readonly track: string;
  readonly quality: string;
}

/** Who asks, and what the client has already. */
export interface Asked {
  readonly viewer: Viewer;
  readonly request: StreamRequest;
}

export interface SessionMediaParts {
  readonly sessions: Pick<PlaybackSessions, 'use' | 'viewerIn' | 'converted' | 'lost'>;
  readonly files: Pick<Files, 'content'>;
  readonly filesystems: Pick<Filesystems, 'within'>;
  readonly streams: Pick<Streams, 'open'>;
  readonly texts: Pick<Texts, 'open' | 'openFont' | 'openPictures'>;
  readonly plans: Plans;
  readonly conversions: Conversions;
  readonly trickplay: Pick<TrickplayStore, 'find' | 'sheet'>;
}

/** A session in use, with its file open. */
interface Opened {
  readonly session: Session;
  readonly viewer: Viewer;
  readonly source: OpenedSource;
}

/** In place of a file that only other servers have: nothing reads it here. */
function sourceAway({ size, modifiedAt }: Session['file']): OpenedSource {
  const refuse = (): never => {
    throw missing('The file');
  };
  return { size, modifiedAt, stream: refuse, read: refuse, close: () => Promise.resolve() };
}

const missing = (what: string): AppError => new AppError('not_found', { what });

/** What the addresses of a session answer. */
export class SessionMedia {
  readonly #parts: SessionMediaParts;
  readonly #memory = createReadMemory();

  constructor(parts: SessionMediaParts) {
    this.#parts = parts;
  }

  async #open(id: string, asked: Viewer): Promise<Opened> {
    const { sessions, files, filesystems } = this.#parts;
    const session = await sessions.use(id, asked);
    const viewer = sessions.viewerIn(session, asked);
    const { file } = session;
    const { uri } = await files.content(file.id, viewer).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') await sessions.lost(session);
      throw error;
    });
    const source =
      file.isAway === true ? sourceAway(file) : await filesystems.within(file.roots).open(uri);
    if (source.size === file.size && source.modifiedAt === file.modifiedAt)
      return { session, viewer, source };
    await source.close();
    throw new AppError('file_changed', {});
  }

  /** For answers without bytes of the file. */
  async #look(id: string, asked: Viewer): Promise<Omit<Opened, 'source'>> {
    const { source, ...opened } = await this.#open(id, asked);
    await source.close();
    return opened;
  }

  /** The index as far as the file was walked by now. */
  readonly #refresh = async (session: Session): Promise<void> => {
    if (session.file.index?.isComplete !== false) return;
    const index = await this.#parts.plans.index(session.file);
    if (index.kind === 'read') session.file = { ...session.file, index };
  };

  /**
   * The quality with its cuts, as far as segment `n`: another server may have listed it, which walked more
   * of the file.
   */
  async #reach(session: Session, wanted: WantedQuality, n: number) {
    for (let known = -1; ;) {
      const found = await find(session, wanted, this.#refresh);
      const count = segmentsOf(found.cuts);
      if (n < count || count === known || found.cuts.isComplete) return found;
      known = count;
      await this.#parts.plans.walked(session.file);
    }
  }

  async #planned(
    { session, source }: Opened,
    quality: Extract<Quality, { track: unknown }>,
    name: PartName,
    request: StreamRequest,
  ): Promise<StreamAnswer> {
    const { file } = session;
    const { index } = file;
    if (index === null) throw missing(`Segment ${name.text}`);
    const { track } = quality;
    const tag = `"${file.size.toString(36)}-${file.modifiedAt.toString(36)}-${track.id}-${name.text}"`;
    const headers = headersOf(tag, track.mimeType);
    if (request.ifNoneMatch === tag) {
      await source.close();
      return { status: 304, headers, body: null };
    }
    const plan = name.isInit
      ? await this.#parts.plans.init(file, index, track)
      : await this.#parts.plans.segment(file, index, {
          track,
          n: name.n,
          keyframeOnly: name.isKeyframe,
        });
    const body = await copyPlan(plan, source, this.#memory);
    return { status: 200, headers: { ...headers, 'content-length': plan.size }, body };
  }

  async #listOf(
    session: Session,
    { keyframesOnly, ...wanted }: WantedQuality & { readonly keyframesOnly: boolean },
  ): Promise<string> {
    const { quality, cuts } = await find(session, wanted, this.#refresh);
    if (keyframesOnly && !('track' in quality)) throw missing('A playlist of its keyframes');
    const extension = extensionOf(quality);
    const hasInit = extension === 'm4s';
    return mediaPlaylist({ cuts, extension, hasInit, keyframesOnly });
  }

  /** The parts of the first answer, each with its address. */
  async #partsOfFirst(session: Session): Promise<readonly (readonly [string, PlanPart])[]> {
    const { file } = session;
    const { index } = file;
    if (index === null || !areCopied(session)) throw missing('A first answer');
    const lists = chosenTracks(session).map(async (one) => {
      const wanted = { track: one.track.track.id, quality: one.quality.name, keyframesOnly: false };
      const text = await this.#listOf(session, wanted);
      return [`${folderOf(one)}/index.m3u8`, Buffer.from(text)] as const;
    });
    const planned = firstParts(session)
      .toSorted((one, other) => weightOf(one) - weightOf(other))
      .map(async (one) => {
        if (!('track' in one.quality)) throw missing('A first answer');
        const { track } = one.quality;
        const part = parseName(one.name);
        const plan =
          part === null || part.isInit
            ? await this.#parts.plans.init(file, index, track)
            : await this.#parts.plans.segment(file, index, {
                track,
                n: part.n,
                keyframeOnly: false,
              });
        return [`${folderOf(one)}/${one.name}`, plan] as const;
      });
    return [
      ['master.m3u8', Buffer.from(masterPlaylist(session))],
      ...(await Promise.all([...lists, ...planned])),
    ];
  }

  async #converted(
    { session }: Pick<Opened, 'session'>,
    work: ConversionWork,
    name: PartName,
    request: StreamRequest,
  ): Promise<StreamAnswer> {
    const { conversions, sessions } = this.#parts;
    const made = name.isInit
      ? await conversions.init(work)
      : await conversions.segment(work, name.n);
    await sessions.converted(session);
    const tag = `"${made.tag}"`;
    const rate = conversions.rateOf(session.id);
    const headers = {
      ...headersOf(tag, `${work.recipe.kind}/mp4`),
      ...(rate !== null && { 'x-vitrine-rate': rate.toFixed(2) }),
    };
    if (request.ifNoneMatch === tag) {
      made.body.destroy();
      return { status: 304, headers, body: null };
    }
    return { status: 200, headers: { ...headers, 'content-length': made.size }, body: made.body };
  }

  readonly master = async (id: string, viewer: Viewer): Promise<string> =>
    masterPlaylist((await this.#look(id, viewer)).session);

  readonly playlist = async (
    id: string,
    wanted: WantedQuality & { readonly keyframesOnly: boolean },
    viewer: Viewer,
  ): Promise<string> => this.#listOf((await this.#look(id, viewer)).session, wanted);

  /**
   * All that a player asks for first, in one answer: a line of JSON with the address and the
   * length of each part, `[["master.m3u8", 800], …]`, and then the parts one behind the other. The
   * sound is before the pictures, since it is small, and players show nothing before they have
   * both.
   */
  readonly first = async (id: string, { viewer }: Asked): Promise<StreamAnswer> => {
    const { session, source } = await this.#open(id, viewer);
    try {
      const found = await this.#partsOfFirst(session);
      const lengths = found.map(([name, part]) => [name, sizeOf(part)]);
      const line = Buffer.from(`${JSON.stringify(lengths)}\n`);
      const plan = joinPlans([line, ...found.map(([, part]) => part)]);
      const body = await copyPlan(plan, source, this.#memory);
      const headers = { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' };
      return { status: 200, headers: { ...headers, 'content-length': plan.size }, body };
    } catch (error) {
      await source.close();
      throw error;
    }
  };

  /** `init.mp4`, `7.m4s`, or `7.key.m4s` for its keyframe alone. */
  readonly part = async (
    id: string,
    { name, ...wanted }: WantedQuality & { readonly name: string },
    { viewer, request }: Asked,
  ): Promise<StreamAnswer> => {
    const opened = await this.#open(id, viewer);
    try {
      const part = parseName(name);
      const { track, quality, cuts } = await this.#reach(opened.session, wanted, part?.n ?? 0);
      if (part === null || (!part.isInit && part.n >= segmentsOf(cuts)))
        throw missing(`Segment ${name}`);
      if ('track' in quality) return await this.#planned(opened, quality, part, request);
      await opened.source.close();
      if (part.isKeyframe) throw missing(`Segment ${name}`);
      return await this.#converted(opened, workOf(opened.session, track, quality), part, request);
    } catch (error) {
      await opened.source.close();
      throw error;
    }
  };

  /** The file itself, with ranges. */
  readonly file = async (id: string, { viewer: asked, request }: Asked): Promise<StreamAnswer> => {
    const { session, viewer } = await this.#look(id, asked);
    return this.#parts.streams.open(session.file.id, viewer, request);
  };

  /**
   * `<track>.vtt`, `<track>.ass`, the playlist `<track>.m3u8`, or the part of `<track>.sup` that
   * begins at so many seconds.
   */
  readonly text = async (
    id: string,
    { name, from }: { readonly name: string; readonly from: number },
    { viewer: asked, request }: Asked,
  ): Promise<StreamAnswer> => {
    const { session, viewer } = await this.#look(id, asked);
    const end = name.lastIndexOf('.');
    const [track, form] = [name.slice(0, end), name.slice(end + 1)];
    const { file } = session;
    // Of the file itself the player shows its own times.
    const shiftMs = session.decided.mode === 'direct' ? 0 : startShiftMs(file.index);
    if (form === 'sup') {
      const drawn = session.decided.tracks.find((one) => one.track.id === track);
      if (drawn?.isDrawn !== true)
        throw new AppError('no_text', { what: `The session has no pictures of track ${track}.` });
      const of = drawn.stream ?? drawn.track.id;
      return this.#parts.texts.openPictures(
        { fileId: file.id, of, from, shiftMs },
        viewer,
        request,
      );
    }
    if (!file.texts.some((text) => text.id === track))
      throw new AppError('no_text', { what: `The session has no text track ${track}.` });
    if (form === 'm3u8') {
      const body = Buffer.from(textPlaylist(track, secondsOf(file)));
      return { status: 200, headers: { ...playlistHeaders }, body };
    }
    const to = form === 'ass' ? 'ass' : 'vtt';
    return this.#parts.texts.open({ fileId: file.id, track, to, shiftMs }, viewer, request);
  };

  /** `index.vtt`, or the sheet `<n>.jpg`. */
  readonly trickplay = async (
    id: string,
    name: string,
    { viewer, request }: Asked,
  ): Promise<StreamAnswer> => {
    const { session } = await this.#look(id, viewer);
    const { contentKey } = session.file;
    const known = await this.#parts.trickplay.find(contentKey);
    if (known?.kind !== 'made') throw missing('Trickplay of the file');
    const tag = `"${contentKey.replaceAll(/[^\w-]/g, '').slice(0, 100)}-${name}"`;
    const isText = name === 'index.vtt';
    const headers = headersOf(tag, isText ? 'text/vtt; charset=utf-8' : 'image/jpeg');
    if (request.ifNoneMatch === tag) return { status: 304, headers, body: null };
    const bytes = isText
      ? Buffer.from(trickplayCues(known.shape, secondsOf(session.file)))
      : await this.#parts.trickplay.sheet(contentKey, Number.parseInt(name, 10));
    if (bytes === null) throw missing(`Sheet ${name}`);
    const body = Buffer.from(bytes);
    return { status: 200, headers: { ...headers, 'content-length': body.length }, body };
  };

  readonly font = async (
    id: string,
    index: number,
    { viewer: asked, request }: Asked,
  ): Promise<StreamAnswer> => {
    const { session, viewer } = await this.#look(id, asked);
    return this.#parts.texts.openFont({ fileId: session.file.id, index }, viewer, request);
  };
}

export const createSessionMedia = (parts: SessionMediaParts): SessionMedia =>
  new SessionMedia(parts);

/** Cues begin at the time of the file, sessions at 0. */
const startShiftMs = (index: TranscodeIndex | null): number =>
  index === null ? 0 : 0 - Math.round((index.startTime * 1000) / index.timescale);

/** The headers of a playlist: it may grow, and its session may end. */
export const playlistHeaders = {
  'content-type': 'application/vnd.apple.mpegurl',
  'cache-control': 'private, no-cache',
} as const;

/** A segment never changes, but the link to it ends. */
const headersOf = (etag: string, contentType: string) => ({
  'content-type': contentType,
  'cache-control': 'private, max-age=3600',
  etag,
});

/** The pictures come last. */
const weightOf = ({ track, name }: FirstPart): number =>
  track.track.kind === 'video' && name !== 'init.mp4' ? 1 : 0;

interface PartName {
  readonly text: string;
  readonly isInit: boolean;
  readonly isKeyframe: boolean;
  readonly n: number;
}

const partForm = /^(?:(init)\.mp4|(\d{1,6})(\.key)?\.(?:m4s|ts|mp3|aac))$/;

function parseName(text: string): PartName | null {
  const found = partForm.exec(text);
  if (found === null) return null;
  const [, init, n, key] = found;
  return { text, isInit: init !== undefined, isKeyframe: key !== undefined, n: Number(n ?? 0) };
}

async function find(
  session: Session,
  { track: trackId, quality: name }: WantedQuality,
  refresh: (session: Session) => Promise<void>,
): Promise<{
  readonly track: SessionTrack;
  readonly quality: Quality;
  readonly cuts: CutList;
}> {
  const track = session.decided.tracks.find((one) => one.track.id === trackId);
  const quality = track?.qualities.find((one) => one.name === name);
  if (track === undefined || quality === undefined) throw missing(`Track ${trackId}/${name}`);
  await refresh(session);
  return { track, quality, cuts: cutsOf(session, quality) };
}
