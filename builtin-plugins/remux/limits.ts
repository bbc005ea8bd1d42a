/** What one file may cost. */
import { ReaderError, type ReaderBudget } from '../../plugin-api/index.ts';

/** Bytes of the index of an MP4 (`moov`). A film of three hours has some 5 MB. */
export const mostIndexBytes = 24 * 1024 * 1024;
/** Packets of one segment of one track. */
export const mostPackets = 60_000;
/** Bytes of one segment, as the server accepts them. */
export const mostSegmentBytes = 64 * 1024 * 1024;
/** Tracks of one file. */
export const mostTracks = 200;
/** Samples of one track. */
export const mostSamples = 20_000_000;
/** Cuts of one file: 27 hours of two seconds each. */
export const mostCuts = 50_000;
/** Sound before the beginning that decoders need, in seconds. */
export const longestPriming = 0.25;

/** The file needs more than a limit allows. */
export const overBudget = (message: string): ReaderError => new ReaderError('over-budget', message);

/** Pieces of one segment, and bytes that are made between them, as the server accepts them. */
export const mostPieces = 20_000;
export const mostInsertBytes = 1024 * 1024;

/** Opened files that are kept, and the memory that they may hold together. */
export const mostOpenFiles = 64;
export const mostHeldBytes = 24 * 1024 * 1024;

/** What reading an index may cost. */
export const indexBudget = (size: number): ReaderBudget => ({
  bytes: Math.min(2 * size + 1024 * 1024, 2 ** 31),
  milliseconds: 20_000,
  reads: 2_000_000,
});

/** What a plan may cost. */
export const planBudget: ReaderBudget = {
  bytes: 96 * 1024 * 1024,
  milliseconds: 8000,
  reads: 2_000_000,
};

/** Bytes of an index of Matroska (`Cues`). */
export const mostCueBytes = 16 * 1024 * 1024;

/** How long a file without an index is walked in one call, in milliseconds. */
export const walkMs = 5000;

/** Bytes of the head of one fragment. */
export const mostFragmentBytes = 4 * 1024 * 1024;

/** Bytes of one picture in a transport stream. */
export const mostPictureBytes = 8 * 1024 * 1024;
