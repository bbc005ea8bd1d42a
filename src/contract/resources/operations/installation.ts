import { Type } from '@sinclair/typebox';
import { List, Named, Nullable, OneOf, Timestamp, type Shape } from '../schema-parts.ts';

/** Where a value may come from, the one that wins first. */
export const settingOrigins = ['flag', 'variable', 'file', 'default'] as const;

const Setting = Named(
  'Setting',
  Type.Object({
    key: Type.String({ description: 'As `vitrine.json` spells it' }),
    flag: Type.String({ description: 'Without its dashes' }),
    variable: Type.String(),
    help: Type.String(),
    usual: Nullable(Type.String({ description: 'What is used if it is not set' })),
    value: Nullable(Type.String({ description: 'As it was set, without passwords' })),
    origin: OneOf(settingOrigins, { description: 'Where the value comes from' }),
  }),
);

/** A setting, and what this server uses. */
export type SettingInUse = Shape<typeof Setting>;

export const SettingsReply = Type.Object({ settings: List(Setting) });

export const ExaminationReply = Type.Object({
  examinedAt: Timestamp,
  findings: List(
    Named(
      'Finding',
      Type.Object({
        check: Type.String({ description: 'What was checked: `data folder`' }),
        state: OneOf(['good', 'hint', 'bad'], {
          description: 'hint: it works, but could be better; bad: it does not work',
        }),
        what: Type.String({ description: 'The finding, as a sentence' }),
        remedy: Nullable(Type.String({ description: 'What to do; null = nothing' })),
      }),
    ),
  ),
});
