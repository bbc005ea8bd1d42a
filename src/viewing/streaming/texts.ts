/**
 * Text tracks of files, and lyrics of items. Guarantees: a track is one of the viewer's item; a file is
 * read below the roots of its library, with all links followed; what is sent was converted by a plugin,
 * with a type that no browser runs.
 */
import { createHash } from 'node:crypto';
import { isNotGranted } from '../../../kernel/index.ts';
import type { TextFailure, TextSource } from '../../../plugin-api/index.ts';
import type { Files, Items } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import { contentHeaders } from './content-headers.ts';
import { isCurrent } from './file-version.ts';
import type { StreamAnswer, StreamRequest } from './stream-answer.ts';
import { unreadable, type ConvertText, type TextOrigin } from './text-conversion.ts';
import { createTextOrigins, type TextOriginsParts } from './text-origins.ts';
import type { Font, Lyrics } from '../../contract/resources/viewing/texts.ts';

/** A text track and the form that a client asks for. */
export interface WantedText {
  readonly fileId: string;
  readonly track: string;
  readonly to: 'vtt' | 'ass';
  /** Milliseconds that are added to each time of a track inside the file; see `texts.convert`. */
  readonly shiftMs?: number;
}

/** A part of a subtitle that is pictures. */
export interface WantedPictures {
  readonly fileId: string;
  /** The index of the stream, or the id of the file beside it. */
  readonly of: number | string;
  /** Seconds of what the client plays. */
  readonly from: number;
  /** Milliseconds that are added to each time of a stream. */
  readonly shiftMs: number;
}

export interface TextsParts extends TextOriginsParts {
  readonly files: Pick<Files, 'text'>;
  readonly items: Pick<Items, 'get'>;
  readonly convert: ConvertText;
}

type FileText = Awaited<ReturnType<Files['text']>>;
type PlacedTrack = FileText['tracks'][number];

const types = { vtt: 'text/vtt; charset=utf-8', ass: 'text/plain; charset=utf-8' } as const;

/** Text tracks and lyrics. What the viewer may not see is `not_found`, what does not exist `no_text`. */
export class Texts {
  readonly #parts: TextsParts;
  readonly #origins: ReturnType<typeof createTextOrigins>;
  readonly #openedAt: ReturnType<typeof createTextOrigins>['openedAt'];

  constructor(parts: TextsParts) {
    this.#parts = parts;
    this.#origins = createTextOrigins(parts);
    const { openedAt } = this.#origins;
    this.#openedAt = openedAt;
  }

  async #send(
    { file, placed, origin }: { file: FileText['file']; placed: PlacedTrack; origin: TextOrigin },
    { to, shiftMs = 0 }: Pick<WantedText, 'to' | 'shiftMs'>,
    request: StreamRequest,
  ): Promise<StreamAnswer> {
    const { format, language } = placed.track;
    const isShifted = shiftMs !== 0 && placed.place.kind === 'stream';
    const known = { to, format, language, frameRate: file.frameRate };
    const shape = isShifted ? { ...known, shiftMs } : known;
    const etag = tagOf([origin.version, shape]);
    const headers = { ...contentHeaders(`${placed.track.id}.${to}`, types[to]), etag };
    const { ifNoneMatch } = request;
    if (ifNoneMatch !== undefined && isCurrent({ etag, lastModified: '' }, { ifNoneMatch })) {
      return { status: 304, headers, body: null };
    }
    const body = await this.#parts.convert(origin, shape);
    return { status: 200, headers: { ...headers, 'content-length': body.length }, body };
  }

  /** The lyrics of a file, beside it or in it. */
  async #lyricsOf(fileId: string, viewer: Viewer): Promise<Lyrics | null> {
    const { convert, files } = this.#parts;
    const found = await files.text(fileId, viewer);
    const placed = found.tracks.find(({ track }) => track.kind === 'lyrics');
    if (placed !== undefined) {
      const origin = await this.#origins.of(found, placed.place);
      return parse(await convert(origin, { to: 'lyrics', language: placed.track.language }));
    }
    if (!found.file.mimeType.startsWith('audio/')) return null;
    try {
      const origin = await this.#origins.within(found, 'lyrics');
      return parse(await convert(origin, { to: 'lyrics', language: null }));
    } catch (error) {
      // A song without lyrics is the usual case.
      if (error instanceof AppError && error.code === 'text_refused') return null;
      throw error;
    }
  }

  async #fontsOf(fileId: string, viewer: Viewer) {
    const { file, roots } = await this.#parts.files.text(fileId, viewer);
    const { size } = await this.#openedAt(file.uri, roots);
    const { uri, extension } = file;
    return { uri, roots, fonts: await this.#parts.embedded.fonts({ uri, size, extension }) };
  }

  readonly open = async (
    { fileId, track, to, shiftMs }: WantedText,
    viewer: Viewer,
    request: StreamRequest,
  ): Promise<StreamAnswer> => {
    const found = await this.#parts.files.text(fileId, viewer);
    const placed = found.tracks.find((one) => one.track.id === track);
    if (placed === undefined) {
      throw new AppError('no_text', { what: `File ${fileId} has no text track ${track}.` });
    }
    try {
      const origin = await this.#origins.of(found, placed.place);
      return await this.#send(
        { file: found.file, placed, origin },
        { to, ...(shiftMs !== undefined && { shiftMs }) },
        request,
      );
    } catch (error) {
      throw isElsewhere(error) ? missing(`Track ${track}`, error) : error;
    }
  };

  /** A part of a subtitle that is pictures, as in a `.sup` file. */
  readonly openPictures = async (
    { fileId, of, from, ...wanted }: WantedPictures,
    viewer: Viewer,
    { ifNoneMatch }: StreamRequest,
  ): Promise<StreamAnswer> => {
    const { file, roots, pictures } = await this.#parts.files.text(fileId, viewer);
    const place = pictures.find(({ track }) => track.id === of)?.place;
    const isBeside = place?.kind === 'file';
    if (typeof of === 'string' && !isBeside)
      throw new AppError('no_text', { what: `File ${fileId} has no pictures ${of}.` });
    const opened = await this.#openedAt(isBeside ? place.uri : file.uri, roots).catch(
      (error: unknown) => {
        throw isElsewhere(error) ? missing(`Track ${of}`, error) : error;
      },
    );
    const shiftMs = isBeside ? 0 : wanted.shiftMs;
    const etag = tagOf([opened, of, from, shiftMs]);
    const known = { ...contentHeaders(`${of}.sup`, 'application/octet-stream'), etag };
    if (ifNoneMatch !== undefined && isCurrent({ etag, lastModified: '' }, { ifNoneMatch }))
      return { status: 304, headers: known, body: null };
    const fromMs = Math.max(0, from * 1000 - shiftMs);
    // The probe of the film also reads the file beside it, which begins with its own mark.
    const probed = { uri: opened.uri, size: opened.size, extension: file.extension };
    const part = isBeside ? 0 : Number(of);
    const made = await this.#parts.embedded.subtitle(probed, { part, fromMs, shiftMs });
    if (made.kind === 'failed') throw pictureFailure(made);
    const next = made.nextMs === null ? null : (made.nextMs + shiftMs) / 1000;
    const headers = {
      ...known,
      ...(next !== null && { [nextPartHeader]: next.toFixed(3) }),
      'content-length': made.bytes.length,
    };
    return { status: 200, headers, body: made.bytes };
  };

  /** Fonts that are in a file, which its ASS tracks name. */
  readonly fonts = async (fileId: string, viewer: Viewer): Promise<readonly Font[]> => {
    const { fonts } = await this.#fontsOf(fileId, viewer);
    return fonts.map(({ name, length }, index) => ({
      name,
      size: length,
      url: `/api/files/${fileId}/fonts/${index}`,
    }));
  };

  /** The bytes of one of them. */
  readonly openFont = async (
    { fileId, index }: { readonly fileId: string; readonly index: number },
    viewer: Viewer,
    { ifNoneMatch }: StreamRequest,
  ): Promise<StreamAnswer> => {
    const { filesystems } = this.#parts;
    const { uri, roots, fonts } = await this.#fontsOf(fileId, viewer);
    const font = fonts[index];
    const none = `File ${fileId} has no font number ${index}.`;
    if (font === undefined) throw new AppError('no_text', { what: none });
    const source = await filesystems.within(roots).open(uri);
    const etag = tagOf([uri, source.size, source.modifiedAt, index]);
    const { offset, length } = font;
    const start = await filesystems.within(roots).read({ uri, offset, length: 4 });
    const type = fontTypes.get(Buffer.from(start).toString('latin1'));
    const headers = { ...contentHeaders(font.name, type ?? ''), etag };
    const isKnown =
      ifNoneMatch !== undefined && isCurrent({ etag, lastModified: '' }, { ifNoneMatch });
    if (type === undefined || isKnown) {
      await source.close();
      if (type === undefined) throw new AppError('no_text', { what: none });
      return { status: 304, headers, body: null };
    }
    const body = await source.stream({ first: offset, last: offset + length - 1 });
    return { status: 200, headers: { ...headers, 'content-length': length }, body };
  };

  /** At most 5,000 lines of a text below these roots, in any old encoding. */
  readonly lines = async (uri: string, roots: readonly string[]): Promise<readonly string[]> => {
    const origin = await this.#origins.beside(uri, roots).catch((error: unknown) => {
      throw isElsewhere(error) ? missing('The text', error) : error;
    });
    const { lines } = parse(await this.#parts.convert(origin, { to: 'lyrics', language: null }));
    return lines.map(({ text }) => text);
  };

  readonly lyrics = async (itemId: string, viewer: Viewer): Promise<Lyrics> => {
    const item = await this.#parts.items.get(itemId, viewer);
    const media = item.files.filter(({ type, status }) => type === 'media' && status === 'active');
    for (const { id } of media) {
      const lyrics = await this.#lyricsOf(id, viewer);
      if (lyrics !== null) return lyrics;
    }
    const { lyrics: text } = item.metadata;
    if (typeof text !== 'string' || text === '') {
      throw new AppError('no_text', { what: `Item ${itemId} has no lyrics.` });
    }
    return parse(await this.#parts.convert(originOfText(text), { to: 'lyrics', language: null }));
  };
}

/** Seconds from which the next part of a subtitle that is pictures is asked for; absent = there is none. */
export const nextPartHeader = 'x-vitrine-next';

/** By the first bytes: what is not a font is not sent as one. */
const fontTypes: ReadonlyMap<string, string> = new Map([
  ['\0\x01\0\0', 'font/ttf'],
  ['true', 'font/ttf'],
  ['OTTO', 'font/otf'],
  ['ttcf', 'font/collection'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
]);

const parse = (body: Buffer): Lyrics => JSON.parse(body.toString()) as Lyrics;

const tagOf = (parts: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}"`;

/** Only a fault of the file is final. Players ask again after any other failure. */
const pictureFailure = (failure: TextFailure): AppError =>
  failure.code === 'malformed'
    ? new AppError('text_refused', { why: failure.message })
    : unreadable(failure);

/** A text that is stored in the catalogue. */
function originOfText(text: string): TextOrigin {
  const bytes = Buffer.from(text);
  const source: TextSource | TextFailure = {
    uri: null,
    size: bytes.length,
    base64: bytes.toString('base64'),
  };
  return { version: createHash('sha256').update(bytes).digest('hex'), load: async () => source };
}

/** The path leads out of the library; the viewer gets the same answer as for a missing file. */
const isElsewhere = (error: unknown): boolean =>
  isNotGranted(error) || (error instanceof AppError && error.code === 'outside_root');

const missing = (what: string, cause: unknown): AppError =>
  new AppError('not_found', { what }, { cause });
