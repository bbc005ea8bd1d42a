import { Type } from '@sinclair/typebox';
import { List, Named, StreamReply, type Shape } from '../schema-parts.ts';

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

export const FontParams = Type.Object({
  id,
  index: Type.String({ pattern: '^\\d{1,3}$', description: 'Its place in the list, from 0' }),
});

export const FontReply = StreamReply('font/ttf', 'The font, with its own type');

const Font = Named(
  'Font',
  Type.Object({
    name: Type.String(),
    size: Type.Integer({ description: 'Bytes' }),
    url: Type.String({ format: 'uri-reference' }),
  }),
);

/** A font that is in a file. */
export type Font = Shape<typeof Font>;

export const FontsReply = Type.Object({ fonts: List(Font) });

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
  }),
);

/** Lyrics of an item. */
export type Lyrics = Shape<typeof LyricsReply>;
