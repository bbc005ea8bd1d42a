/** What every failure answers with. */
import { Type } from '@sinclair/typebox';
import { codesOfReplies } from './error-replies.ts';
import { Named, OneOf } from '../contract/resources/schema-parts.ts';

/** The codes that replies have. */
const ErrorCode = Named(
  'ErrorCode',
  OneOf(codesOfReplies, { description: 'Open: later versions add codes' }),
);

/** Every failure. */
export const ErrorReply = Named(
  'Error',
  Type.Object(
    {
      error: Type.String({ description: 'What was wrong, and what would be right' }),
      code: Type.Optional(ErrorCode),
      message: Type.Optional(
        Type.String({ description: 'For the marketplace, and if `error` is a word: the text' }),
      ),
      serverTime: Type.Optional(
        Type.Integer({
          description: 'For `clock_skew`: the clock of the server, Unix milliseconds',
        }),
      ),
      current: Type.Optional(
        Type.Integer({ description: 'For `LICENSE_LIMIT`: the current number' }),
      ),
      max: Type.Optional(Type.Integer({ description: 'For `LICENSE_LIMIT`: the allowed number' })),
      reasons: Type.Optional(
        Type.Array(Type.String(), {
          description: 'For `unplayable`: codes such as `video_codec`; open',
        }),
      ),
      by: Type.Optional(
        Type.String({ description: 'For `gave_way`: the role that needed the place' }),
      ),
    },
    { description: 'What went wrong' },
  ),
);
