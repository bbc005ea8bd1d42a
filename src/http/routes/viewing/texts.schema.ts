import { Type } from '@sinclair/typebox';
import type { Lyrics as LyricsResource } from '../../../viewing/streaming/index.ts';
import { type FieldsOf, List, Named, StreamReply } from '../../schemas.ts';

const id = Type.String({ minLength: 1, maxLength: 200 });

export const TrackParams = Type.Object({
  id,
  track: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}\\.(vtt|ass)$',
    description:
      'The `id` of a track in `text` of the file, with `.vtt`, or `.ass` for ASS as it is',
  }),
});

const { content } = StreamReply('text/vtt', '');
const ass = StreamReply('text/plain', '');

export const TextReply = {
  description: 'The track in UTF-8',
  content: { ...content, ...ass.content },
};

export const LyricsReply = Named(
  'Lyrics',
  Type.Object({
    synced: Type.Boolean({ description: 'Whether the lines have times' }),
    lines: List(
      Type.Object({
        startMs: Type.Integer({ minimum: 0, description: '0 for all lines without times' }),
        text: Type.String(),
      }),
    ),
  } satisfies FieldsOf<LyricsResource>),
);
