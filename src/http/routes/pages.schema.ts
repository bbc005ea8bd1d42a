import { Type } from '@sinclair/typebox';
import { StreamReply } from '../../contract/resources/schema-parts.ts';

export const PageReply = StreamReply('text/html', 'The page');

export const ConsoleReply = StreamReply('*/*', 'A file of the pages');

export const ConsoleParams = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
});
