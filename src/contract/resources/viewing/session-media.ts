import { Type } from '@sinclair/typebox';
import { StreamReply } from '../schema-parts.ts';

const id = Type.String({ minLength: 1, maxLength: 200 });
const link = Type.String({ minLength: 1, maxLength: 400, description: 'The token of the session' });

export const LinkParams = Type.Object({ id, link });

const track = Type.String({ pattern: '^[a-z0-9-]{1,40}$' });
const quality = Type.String({ pattern: '^[a-z0-9-]{1,40}$' });

export const QualityParams = Type.Object({ id, link, track, quality });

export const PartParams = Type.Object({
  id,
  link,
  track,
  quality,
  part: Type.String({
    pattern: '^(init\\.mp4|\\d{1,6}(\\.key)?\\.(m4s|ts|mp3|aac))$',
    description: '`init.mp4`, the number of a segment, or `<number>.key.m4s` for its keyframe',
  }),
});

export const TextParams = Type.Object({
  id,
  link,
  text: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}\\.(vtt|ass|sup|m3u8)$' }),
});

export const TextQuery = Type.Object({
  from: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e6,
      description:
        'Of `.sup`: seconds from which on. `x-vitrine-next` of the answer says where the next part begins',
    }),
  ),
});

export const TrickplayParams = Type.Object({
  id,
  link,
  name: Type.String({
    pattern: '^(index\\.vtt|\\d{1,4}\\.jpg)$',
    description: '`index.vtt`, or the number of a sheet',
  }),
});

export const FontParams = Type.Object({
  id,
  link,
  index: Type.String({ pattern: '^\\d{1,3}$' }),
});

export const PlaylistReply = {
  description: 'The playlist',
  content: { 'application/vnd.apple.mpegurl': { schema: Type.String() } },
};

const { content: pictures } = StreamReply('video/mp4', '');
const { content: sounds } = StreamReply('audio/mp4', '');

export const PartReply = {
  description: 'The segment, or the init segment',
  content: { ...pictures, ...sounds },
};

export const FirstReply = StreamReply(
  'application/octet-stream',
  'A line of JSON with the address and the length of each part, `[["master.m3u8", 800], …]`; then the parts',
);

const { content: vtt } = StreamReply('text/vtt', '');
const { content: ass } = StreamReply('text/plain', '');
const { content: pictureText } = StreamReply('application/octet-stream', '');
const { content: list } = StreamReply('application/vnd.apple.mpegurl', '');

export const TextReply = {
  description: 'The text, or a playlist of it',
  content: { ...vtt, ...ass, ...pictureText, ...list },
};

const { content: jpeg } = StreamReply('image/jpeg', '');

export const TrickplayReply = {
  description: 'WebVTT with the place of each picture (`0.jpg#xywh=0,0,320,180`), or a sheet',
  content: { ...vtt, ...jpeg },
};

export const WholeFile = StreamReply('application/octet-stream', 'The file, with its own type');
export const PartOfFile = StreamReply('application/octet-stream', 'The bytes of the `Range`');

export const FontReply = StreamReply('font/ttf', 'The font, with its own type');
