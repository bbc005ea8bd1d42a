import { Type } from '@sinclair/typebox';
import { StreamReply } from '../schemas.ts';

export const PageReply = StreamReply('text/html', 'The page');

export const ConsoleReply = StreamReply('*/*', 'What pages are made of');

export const ConsoleParams = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
});
