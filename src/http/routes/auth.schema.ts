import { Type } from '@sinclair/typebox';
import { roles } from '../../accounts/index.ts';
import { List, Nullable, OneOf } from '../schemas.ts';

export const MeReply = Type.Object(
  {
    credentialId: Type.String(),
    role: OneOf(roles),
    libraryIds: Nullable(
      List(Type.String(), { description: 'The only libraries it sees; null = all' }),
    ),
    readOnly: Type.Boolean({ description: 'Only GET and HEAD are allowed' }),
  },
  { description: 'Whom the credential stands for' },
);
