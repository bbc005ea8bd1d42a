export { createStreams } from './streams.ts';
export type { StreamAnswer, StreamRequest, Streams, StreamsParts } from './streams.ts';
