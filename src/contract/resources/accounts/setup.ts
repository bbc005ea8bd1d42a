import { Type } from '@sinclair/typebox';
import { Body, Named } from '../schema-parts.ts';
import { NameText, PasswordText } from './accounts.ts';

export const SetupState = Type.Object({
  isNeeded: Type.Boolean({ description: 'There is no user yet' }),
});

export const SetupBody = Named(
  'Setup',
  Body({
    token: Type.String({ minLength: 1, maxLength: 200, description: 'From the setup link' }),
    name: NameText,
    password: PasswordText,
    deviceName: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
);
