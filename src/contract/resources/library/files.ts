import { Type } from '@sinclair/typebox';
import { File } from './catalogue.ts';
import { hiddenQuery, OneOf, StreamReply } from '../schema-parts.ts';

export const FileReply = Type.Object({ file: File });

export const WholeFile = StreamReply('application/octet-stream', 'The file, with its own type');
export const PartOfFile = StreamReply('application/octet-stream', 'The bytes of the `Range`');

const widths = [160, 320, 640, 1280, 1920] as const;

/** The size and the format of a picture. */
export const AssetQuery = Type.Object({
  ...hiddenQuery,
  width: Type.Optional(
    Type.Unsafe<(typeof widths)[number]>({
      type: 'integer',
      enum: [...widths],
      description:
        'Pixels. A narrower picture keeps its size. Without width and format, the picture is sent as it is stored.',
    }),
  ),
  format: Type.Optional(
    OneOf(['auto', 'webp', 'jpeg', 'avif'], {
      description: '`auto` is WebP when the header Accept names it, else JPEG',
    }),
  ),
});
