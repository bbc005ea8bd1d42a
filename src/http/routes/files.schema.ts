import { Type } from '@sinclair/typebox';
import { File } from '../resource-schemas.ts';
import { ErrorReply, StreamReply } from '../schemas.ts';

export const FileReply = Type.Object({ file: File });

export const WholeFile = StreamReply('application/octet-stream', 'The file, of its own type');
export const PartOfFile = StreamReply(
  'application/octet-stream',
  'The bytes that `Range` asks for',
);

export const RangeRefusal = ErrorReply;
