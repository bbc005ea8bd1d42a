import type { Viewer } from '../../people/viewer/index.ts';
import type { ByteRange, Filesystems, OpenedSource } from '../../files/filesystems/index.ts';
import type { Files } from '../../library/catalogue/index.ts';
import type { FileContent, PlacedContent } from '../../library/catalogue/items/index.ts';
import type { OpenAsset } from './assets.ts';
import { readRange } from './byte-range.ts';
import { contentHeaders } from './content-headers.ts';
import { allowsRange, isCurrent, versionOf } from './file-version.ts';
import type { StreamAnswer, StreamRequest } from './stream-answer.ts';

/** Metadata and streams of files. What the viewer may not see is `not_found`. */
export type Streams = ReturnType<typeof createStreams>;

export interface StreamsParts {
  readonly files: Pick<Files, 'get' | 'content'>;
  readonly filesystems: Pick<Filesystems, 'within'>;
  readonly openAsset: OpenAsset;
}

/** Creates the streams. Bytes go from the disk to the socket without a cache. */
export function createStreams({ files, filesystems, openAsset }: StreamsParts) {
  async function openContent(
    content: PlacedContent,
    request: StreamRequest,
  ): Promise<StreamAnswer> {
    const source = await filesystems.within(content.roots).open(content.uri);
    const answer = answerFor(content, source, request);
    if (answer.range) return { ...answer, body: await source.stream(answer.range) };
    await source.close();
    return { ...answer, body: null };
  }

  return {
    file: files.get,
    /** Opens a file; `not_found` when it no longer exists. */
    open: async (id: string, viewer: Viewer, request: StreamRequest): Promise<StreamAnswer> =>
      openContent(await files.content(id, viewer), request),
    /** The same for a picture of an item, without ranges. */
    openAsset,
  };
}

/** An answer before its body; no `range` means no body. */
interface Answer extends Omit<StreamAnswer, 'body'> {
  readonly range?: ByteRange;
}

/** Evaluates the headers in the order of RFC 9110, section 13.2.2. */
function answerFor(content: FileContent, source: OpenedSource, request: StreamRequest): Answer {
  const { size, modifiedAt } = source;
  const version = versionOf(content.id, size, modifiedAt);
  const headers = {
    ...contentHeaders(content.filename, content.mimeType),
    etag: version.etag,
    'last-modified': version.lastModified,
    'accept-ranges': 'bytes',
  };
  if (isCurrent(version, request)) return { status: 304, headers };
  if (request.isHead) return { status: 200, headers: { ...headers, 'content-length': size } };
  const asked = allowsRange(version, request) ? readRange(request.range, size) : null;
  if (asked?.kind === 'unsatisfiable') {
    return { status: 416, headers: { 'content-range': `bytes */${size}` } };
  }
  if (asked?.kind !== 'part') {
    const range = { first: 0, last: size - 1 };
    return { status: 200, headers: { ...headers, 'content-length': size }, range };
  }
  const { first, last } = asked.range;
  const part = {
    'content-length': last - first + 1,
    'content-range': `bytes ${first}-${last}/${size}`,
  };
  return { status: 206, headers: { ...headers, ...part }, range: asked.range };
}
