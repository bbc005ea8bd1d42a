/**
 * Pictures of items, wherever they are: beside the media, inside it, or on the network. Guarantees:
 * only what looks like a picture by its first bytes is sent, as what it looks like; never SVG, which
 * can carry a script; the network is asked as the plugin that named the address, and no further.
 */
import { createHash } from 'node:crypto';
import type { Viewer } from '../accounts/index.ts';
import { AppError } from '../errors.ts';
import type { Filesystems } from '../filesystems/index.ts';
import type { Files } from '../library/index.ts';
import { pictureType, type Picture, type PictureFetch } from '../net/index.ts';
import type { FindArtwork } from './artwork.ts';
import { contentHeaders } from './content-headers.ts';
import { isCurrent, versionOf, type FileVersion } from './file-version.ts';
import type { StreamAnswer, StreamRequest } from './stream-answer.ts';

/** What assets are made of. */
export interface AssetsParts {
  readonly files: Pick<Files, 'asset'>;
  readonly filesystems: Pick<Filesystems, 'read' | 'open'>;
  readonly artwork: FindArtwork;
  readonly fetchPicture: PictureFetch;
}

/** Opens a picture; `not_found` for one that the viewer may not see. */
export type OpenAsset = (
  id: string,
  viewer: Viewer,
  request: StreamRequest,
) => Promise<StreamAnswer>;

/** An artwork's URI: the file's, and the place of the picture in it. */
const inFile = /^(.+)#artwork=(\d{1,4})$/;
/** A client asks again after an hour; a picture that was replaced is then another version. */
const cacheControl = 'private, max-age=3600';
const signatureBytes = 16;

/** Creates the opening of assets. */
export function createAssets({
  files,
  filesystems,
  artwork,
  fetchPicture,
}: AssetsParts): OpenAsset {
  async function openBeside(id: string, uri: string, request: StreamRequest) {
    const head = await filesystems.read({ uri, offset: 0, length: signatureBytes });
    const mimeType = pictureType(head);
    if (mimeType === null) throw new AppError('no_picture', { what: `Asset ${id}` });
    const source = await filesystems.open(uri);
    const version = versionOf(id, source.size, source.modifiedAt);
    const headers = headersOf(id, mimeType, version);
    if (isCurrent(version, request)) {
      await source.close();
      return { status: 304, headers, body: null } as const;
    }
    const body = await source.stream({ first: 0, last: source.size - 1 });
    return { status: 200, headers: { ...headers, 'content-length': source.size }, body } as const;
  }

  function send(id: string, { mimeType, bytes }: Picture, request: StreamRequest): StreamAnswer {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const version = { etag: `"${hash}"` };
    const headers = headersOf(id, mimeType, version);
    if (isSame(version, request)) return { status: 304, headers, body: null };
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { status: 200, headers: { ...headers, 'content-length': body.length }, body };
  }

  return async (id, viewer, request) => {
    const { uri, source } = await files.asset(id, viewer);
    if (/^https?:/.test(uri)) {
      if (source === undefined) throw new AppError('no_picture', { what: `Asset ${id}` });
      return send(id, await fetchPicture({ url: uri, pluginId: source }), request);
    }
    const [, file, index] = inFile.exec(uri) ?? [];
    if (file === undefined) return openBeside(id, uri, request);
    return send(id, await artwork(file, Number(index)), request);
  };
}

function headersOf(id: string, mimeType: string, version: Partial<FileVersion>) {
  return {
    ...contentHeaders(id, mimeType),
    'cache-control': cacheControl,
    ...(version.etag !== undefined && { etag: version.etag }),
    ...(version.lastModified !== undefined && { 'last-modified': version.lastModified }),
  };
}

/** Bytes have no date; only their tag says whether a client has them. */
function isSame({ etag }: { readonly etag: string }, { ifNoneMatch }: StreamRequest): boolean {
  return ifNoneMatch !== undefined && isCurrent({ etag, lastModified: '' }, { ifNoneMatch });
}
