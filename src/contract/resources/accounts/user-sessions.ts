import { Type } from '@sinclair/typebox';

export const UserSessionParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  sessionId: Type.String({ minLength: 1, maxLength: 100 }),
});
