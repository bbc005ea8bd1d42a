/** Leads MediaInfo through a file: gives it the bytes that it requests, within the budget. */
import { ReaderError, type FileReader } from '../../plugin-api/index.ts';
import type { MediaInfo } from './media-info.ts';
import { parseTracks, type Track } from './tracks.ts';

const chunkBytes = 64 * 1024;
/** Only the position moves; MediaInfo keeps what it has read. */
const sizeIsKnown = -1;

export interface ReadTracks {
  readonly tracks: readonly Track[];
  readonly warnings: readonly string[];
}

/** When the budget is used up, the answer is what is known so far, with a warning. */
export async function readTracks(mediaInfo: MediaInfo, reader: FileReader): Promise<ReadTracks> {
  const warnings: string[] = [];
  mediaInfo.reset();
  try {
    await feed(mediaInfo, reader);
  } catch (error) {
    if (!(error instanceof ReaderError) || error.code === 'unreadable') throw error;
    warnings.push(error.message);
  }
  mediaInfo.openBufferFinalize();
  return { tracks: parseTracks(mediaInfo.inform()), warnings };
}

async function feed(mediaInfo: MediaInfo, reader: FileReader): Promise<void> {
  const { size } = reader;
  mediaInfo.openBufferInit(size, 0);
  let lastWanted = -1;
  for (let at = 0; at < size;) {
    const chunk = await reader.read(at, Math.min(chunkBytes, size - at));
    const isFinished = mediaInfo.openBufferContinue(chunk, chunk.length);
    const wanted = mediaInfo.openBufferContinueGotoGet();
    if (wanted < 0) {
      if (isFinished) return;
      at += chunk.length;
      lastWanted = -1;
      continue;
    }
    if (wanted === lastWanted || wanted >= size) return;
    mediaInfo.openBufferInit(isFinished ? size : sizeIsKnown, wanted);
    lastWanted = wanted;
    at = wanted;
  }
}
