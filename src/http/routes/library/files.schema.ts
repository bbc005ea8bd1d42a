import { Type } from '@sinclair/typebox';
import { File } from '../../resource-schemas.ts';
import { ErrorReply, StreamReply } from '../../schemas.ts';

export const FileReply = Type.Object({ file: File });

export const WholeFile = StreamReply('application/octet-stream', 'The file, with its own type');
export const PartOfFile = StreamReply('application/octet-stream', 'The bytes of the `Range`');

export const RangeRefusal = ErrorReply;
