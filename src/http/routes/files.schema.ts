import { Type } from '@sinclair/typebox';
import { ErrorReply, JsonMap, List, Nullable, OneOf, StreamReply, Timestamp } from '../schemas.ts';

const Assets = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: true,
  description: 'By type, such as `poster`',
});

export const Chapter = Type.Object({
  id: Type.String(),
  fileId: Type.String(),
  title: Type.String(),
  source: Type.String(),
  startTime: Type.Number({ description: 'Seconds; pages of a book' }),
  endTime: Nullable(Type.Number()),
  role: Type.String({ description: '`intro credits chapter scene`' }),
  metadata: JsonMap,
  assets: Assets,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const File = Type.Object({
  id: Type.String(),
  libraryId: Type.String(),
  itemId: Type.String(),
  uri: Type.String(),
  filename: Type.String(),
  extension: Type.String({ description: 'Lower case, without dot' }),
  mimeType: Type.String(),
  mediaKind: OneOf(['video', 'audio', 'image', 'text']),
  type: Type.String({ description: '`media` or `auxiliary`' }),
  status: OneOf(['active', 'missing', 'error']),
  classification: Type.String(),
  edition: Nullable(Type.String()),
  partNumber: Nullable(Type.Integer()),
  size: Type.Number({ description: 'Bytes' }),
  duration: Nullable(Type.Number({ description: 'Seconds' })),
  fileInfo: JsonMap,
  assets: Assets,
  assetAspects: Assets,
  chapters: List(Chapter),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const FileReply = Type.Object({ file: File });

export const WholeFile = StreamReply('application/octet-stream', 'The file, of its own type');
export const PartOfFile = StreamReply(
  'application/octet-stream',
  'The bytes that `Range` asks for',
);

export const RangeRefusal = ErrorReply;
