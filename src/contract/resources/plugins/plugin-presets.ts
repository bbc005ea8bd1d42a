import { Type } from '@sinclair/typebox';
import { Body, List, Named, Nullable, nextCursor, type Shape } from '../schema-parts.ts';

const PresetPlugin = Named(
  'PresetPlugin',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    mediaTypes: List(Type.String()),
    hosts: List(Type.String(), {
      description: 'The hosts that it asks for, and those that its configuration names',
    }),
    reason: Nullable(Type.String({ description: 'Why it asks for them, in its author’s words' })),
    needsKey: Type.Boolean({ description: 'It needs a key, which an admin sets as its secret' }),
    granted: Type.Boolean({ description: 'It was granted all that it asks for' }),
  }),
);

/** A plugin of the preset, as an admin chooses it. */
export type PresetPlugin = Shape<typeof PresetPlugin>;

export const PresetReply = Type.Object({ plugins: List(PresetPlugin), nextCursor });

export const PresetChoice = Body({
  plugins: List(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }),
  granted: Type.Literal(true),
});
