import { Type } from '@sinclair/typebox';
import { Documented, List, Named, OneOf } from '../schema-parts.ts';

const tag = '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$';

const Languages = (description: string) =>
  List(Type.String({ pattern: tag, maxLength: 35 }), {
    maxItems: 20,
    uniqueItems: true,
    description: `${description}, the preferred one first: BCP 47 or ISO 639-2`,
  });

const known = {
  locale: Type.String({ pattern: tag, maxLength: 35, description: 'Of the interface: BCP 47' }),
  theme: OneOf(['system', 'light', 'dark']),
  audioLanguages: Languages('Languages of sound'),
  subtitleLanguages: Languages('Languages of subtitles'),
  subtitleMode: OneOf(['off', 'forced', 'auto', 'always'], {
    description: '`auto`: where the sound is in none of the languages of sound',
  }),
  textSize: OneOf(['small', 'medium', 'large', 'x-large']),
  autoplayNext: Type.Boolean({ description: 'Play the next episode by itself' }),
  skipIntro: Type.Boolean({ description: 'Skip intros by itself' }),
  // The id of a row of a plugin has the id of the plugin, which may begin with @, and text of its own.
  homeRows: List(Type.String({ pattern: '^-?[A-Za-z][^\\u0000-\\u001f]{0,299}$' }), {
    maxItems: 100,
    uniqueItems: true,
    description:
      'Ids of rows of the first page, in this order; the others follow. With - before it, a row is not shown',
  }),
};

/** Each key, or null to remove it. */
const nullable = Object.fromEntries(
  Object.entries(known).map(([key, { type, enum: values, ...rest }]) => [
    key,
    Type.Optional(
      Type.Unsafe<unknown>({
        ...rest,
        type: [type as string, 'null'],
        ...(values !== undefined && { enum: [...(values as string[]), null] }),
      }),
    ),
  ]),
);

const optional = Object.fromEntries(
  Object.entries(known).map(([key, schema]) => [key, Type.Optional(schema)]),
);

const others = 'Keys of clients are kept as they are: 1 kB each, 64 kB in all';

export const PreferenceChanges = Named(
  'PreferenceChanges',
  Type.Unsafe<Record<string, unknown>>(
    Type.Object(nullable, {
      additionalProperties: true,
      description: `Keys to set; null removes one, and the others stay. ${others}`,
    }),
  ),
);

export const PreferencesReply = Type.Object({
  preferences: Named(
    'Preferences',
    Documented(
      Type.Unsafe<Readonly<Record<string, unknown>>>(
        Type.Object(optional, { additionalProperties: true, description: others }),
      ),
      {},
    ),
  ),
});
