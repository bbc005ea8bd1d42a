/** A stream as a header describes it. */
import type { MediaStream } from '../../plugin-api/index.ts';

/** A type with optional fields, while it is being filled. */
export type Draft<Shape> = { -readonly [Key in keyof Shape]?: Shape[Key] | undefined };

/** A stream; its index is its place in the list unless it has its own. */
export type StreamDraft = Draft<MediaStream> & Pick<MediaStream, 'kind' | 'codec'>;
