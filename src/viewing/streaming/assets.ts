/**
 * Pictures of items, beside the media, inside it, or on the network. Guarantees: only pictures, by
 * their first bytes, are sent, with that type; never SVG, which can contain scripts; the network is
 * accessed with the grant of the plugin that named the address; a file is read only below the roots
 * of the item's own library, with all links followed.
 */
import { createHash } from 'node:crypto';
import { isNotGranted } from '../../../kernel/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { FileReads, Filesystems } from '../../files/filesystems/index.ts';
import type { Asset, Files } from '../../library/catalogue/index.ts';
import type { OwnStill } from '../../library/catalogue/items/index.ts';
import type { PictureLooks } from '../../library/catalogue/items/index.ts';
import { pictureType, type Picture, type PictureFetch } from '../../platform/net/index.ts';
import type { PictureFormat } from '../../../plugin-api/index.ts';
import type { FindArtwork } from './artwork.ts';
import { contentHeaders } from './content-headers.ts';
import { isCurrent, versionOf, type FileVersion } from './file-version.ts';
import type { PictureShape, PictureSource, SizedPicture, SizedPictures } from './sized-pictures.ts';
import type { StreamAnswer, StreamRequest } from './stream-answer.ts';

export interface AssetsParts {
  readonly files: Pick<Files, 'asset'>;
  readonly filesystems: Pick<Filesystems, 'within' | 'servedBy'>;
  readonly artwork: FindArtwork;
  /** A frame of a film below these roots. */
  readonly still: (still: OwnStill) => Promise<Picture>;
  readonly fetchPicture: PictureFetch;
  readonly sizedPictures: SizedPictures;
  readonly looks: PictureLooks;
}

/** A request for a picture: as it is stored, or in another size and format. */
export interface AssetRequest extends StreamRequest {
  readonly shape?: { readonly width: number; readonly format: PictureFormat } | undefined;
}

/** Opens a picture; `not_found` for one that the viewer may not see. */
export type OpenAsset = (
  id: string,
  viewer: Viewer,
  request: AssetRequest,
) => Promise<StreamAnswer>;

/** Clients ask again after an hour; a replaced picture has another version. */
const cacheControl = 'private, max-age=3600, immutable';
/** What was made of one content changes with an upgrade only, so clients ask again after a day. */
const madeCacheControl = 'private, max-age=86400, immutable';
const signatureBytes = 16;
/** What fits into one message to a plugin, with its frame. */
const maxMessageBytes = 5 * 1024 * 1024;

/** Creates the function that opens assets. */
export function createAssets({
  files: assets,
  filesystems,
  artwork,
  still,
  fetchPicture,
  sizedPictures,
  looks,
}: AssetsParts): OpenAsset {
  async function openFileAsset(
    files: Pick<FileReads, 'open' | 'read'>,
    { id, uri }: { readonly id: string; readonly uri: string },
    request: StreamRequest,
  ) {
    const head = await files.read({ uri, offset: 0, length: signatureBytes });
    const mimeType = pictureType(head);
    if (mimeType === null) throw new AppError('no_picture', { what: `Asset ${id}` });
    const source = await files.open(uri);
    const version = versionOf(id, source.size, source.modifiedAt);
    const headers = headersOf(id, mimeType, version);
    if (isCurrent(version, request)) {
      await source.close();
      return { status: 304, headers, body: null } as const;
    }
    const whole = { ...headers, 'content-length': source.size };
    if (request.isHead) {
      await source.close();
      return { status: 200, headers: whole, body: null } as const;
    }
    const body = await source.stream({ first: 0, last: source.size - 1 });
    return { status: 200, headers: whole, body } as const;
  }

  function send(id: string, { mimeType, bytes }: Picture, request: StreamRequest): StreamAnswer {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const version = { etag: `"${hash}"` };
    const headers = headersOf(id, mimeType, version);
    if (isSame(version, request)) return { status: 304, headers, body: null };
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { status: 200, headers: { ...headers, 'content-length': body.length }, body };
  }

  async function openPlace(id: string, place: Asset['place'], request: StreamRequest) {
    const { uri } = place;
    switch (place.kind) {
      case 'web':
        return send(id, await fetchPicture({ url: uri, pluginId: place.pluginId }), request);
      case 'served':
        return openFileAsset(filesystems.servedBy(place.pluginId), { id, uri }, request);
      case 'own':
        return send(id, await artwork(place), request);
      case 'still':
        return send(id, await still(place), request);
      case 'uploaded':
        return send(id, await place.load(), request);
      case 'library': {
        const { picture, roots } = place;
        if (picture !== null) return send(id, await artwork({ uri, roots, picture }), request);
        return openFileAsset(filesystems.within(roots), { id, uri }, request);
      }
    }
  }

  const ofBytes = ({ bytes }: Picture, uri: string | null): PictureSource => ({
    version: createHash('sha256').update(bytes).digest('hex'),
    load: async () => ({ uri, size: bytes.length, base64: toBase64(bytes) }),
  });

  async function ofFile(
    files: Pick<FileReads, 'open' | 'read'>,
    uri: string,
    isReadable: boolean,
  ): Promise<PictureSource> {
    const source = await files.open(uri);
    const { size, modifiedAt } = source;
    await source.close();
    return {
      version: JSON.stringify([uri, size, modifiedAt]),
      load: async () => {
        if (isReadable && size > maxMessageBytes) return { uri, size, base64: null };
        const length = Math.min(size, maxMessageBytes);
        const bytes = await files.read({ uri, offset: 0, length });
        return { uri, size, base64: toBase64(bytes) };
      },
    };
  }

  async function sourceOf(place: Asset['place']): Promise<PictureSource> {
    const { uri } = place;
    switch (place.kind) {
      case 'web':
        return ofBytes(await fetchPicture({ url: uri, pluginId: place.pluginId }), null);
      case 'served':
        return ofFile(filesystems.servedBy(place.pluginId), uri, false);
      case 'own':
        return ofBytes(await artwork(place), uri);
      case 'still':
        return ofBytes(await still(place), null);
      case 'uploaded':
        return ofBytes(await place.load(), null);
      case 'library': {
        const { picture, roots } = place;
        if (picture !== null) return ofBytes(await artwork({ uri, roots, picture }), uri);
        return ofFile(filesystems.within(roots), uri, true);
      }
    }
  }

  async function openSized(
    { id, uri, place }: Asset,
    { shape, request }: { readonly shape: PictureShape; readonly request: StreamRequest },
  ): Promise<StreamAnswer> {
    const source = await sourceOf(place);
    const version = { etag: tagOf(sizedPictures.keyOf(source, shape)) };
    if (isSame(version, request)) {
      const headers = madeHeaders(id, `image/${shape.format}`, version.etag);
      return { status: 304, headers, body: null };
    }
    const made = await sizedPictures.make(source, shape);
    if (made === null) return openPlace(id, place, request);
    void looks.remember(uri, made);
    return sendMade(id, made, version.etag);
  }

  return async (id, viewer, { shape, ...request }) => {
    const asset = await assets.asset(id, viewer);
    try {
      if (shape !== undefined) return await openSized(asset, { shape, request });
      return await openPlace(id, asset.place, request);
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      throw new AppError('not_found', { what: `Asset ${id}` }, { cause: error });
    }
  };
}

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

const tagOf = (key: string): string =>
  `"${createHash('sha256').update(key).digest('hex').slice(0, 32)}"`;

const madeHeaders = (id: string, mimeType: string, etag: string) => ({
  ...contentHeaders(id, mimeType),
  'cache-control': madeCacheControl,
  etag,
});

function sendMade(
  id: string,
  { mimeType, bytes, color, thumbhash }: SizedPicture,
  etag: string,
): StreamAnswer {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const about = { 'picture-color': color, 'picture-thumbhash': thumbhash };
  const headers = { ...madeHeaders(id, mimeType, etag), ...about, 'content-length': body.length };
  return { status: 200, headers, body };
}

/** The path leads out of the library; the viewer gets the same answer as for a missing file. */
const isElsewhere = (error: unknown): boolean =>
  isNotGranted(error) || (error instanceof AppError && error.code === 'outside_root');

function headersOf(id: string, mimeType: string, version: Partial<FileVersion>) {
  return {
    ...contentHeaders(id, mimeType),
    'cache-control': cacheControl,
    ...(version.etag !== undefined && { etag: version.etag }),
    ...(version.lastModified !== undefined && { 'last-modified': version.lastModified }),
  };
}

/** Extracted pictures have no date, so only the tag is compared. */
function isSame({ etag }: { readonly etag: string }, { ifNoneMatch }: StreamRequest): boolean {
  return ifNoneMatch !== undefined && isCurrent({ etag, lastModified: '' }, { ifNoneMatch });
}
