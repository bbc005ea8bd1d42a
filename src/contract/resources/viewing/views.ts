import { Type } from '@sinclair/typebox';
import { viewNames } from '../../../../plugin-api/index.ts';
import {
  Body,
  Documented,
  JsonMap,
  List,
  Named,
  hiddenQuery,
  type Wanted,
} from '../schema-parts.ts';
import { View } from './view.ts';

/** The page of another view name is `not_found`. */
export const ViewParams = Type.Object({
  slot: Documented(Type.String({ minLength: 1, maxLength: 200 }), { enum: viewNames }),
});

export const ViewQuery = Type.Object({
  ...hiddenQuery,
  context: Type.Optional(
    Type.String({
      maxLength: 4000,
      description: "One JSON object with the keys of the slot's context",
    }),
  ),
});

/** A button press or a submitted form. */
export const PressBody = Named(
  'ViewAction',
  Body({
    pluginId: Type.String({ minLength: 1, maxLength: 200 }),
    rpcMethod: Type.String({ minLength: 1, maxLength: 200 }),
    view: Type.String({ minLength: 1, maxLength: 200, description: 'The view that contained it' }),
    context: Type.Optional(JsonMap),
    values: Type.Optional(JsonMap),
  }),
);

/** A button or a form that a viewer used. */
export type PressedAction = Wanted<typeof PressBody>;

export const PressReply = Type.Object({
  result: Type.Unknown({ description: 'The answer of the plugin' }),
});

export const ViewReply = List(View);
