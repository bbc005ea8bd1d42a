import { Type } from '@sinclair/typebox';
import { hiddenQuery, JsonMap, List, OneOf } from '../schemas.ts';

export const ViewParams = Type.Object({ slot: Type.String({ minLength: 1, maxLength: 200 }) });

export const ViewQuery = Type.Object({
  ...hiddenQuery,
  context: Type.Optional(
    Type.String({
      maxLength: 4000,
      description: "One JSON object with the keys of the slot's context",
    }),
  ),
});

const UIForm = Type.Object({
  type: Type.Literal('form'),
  slot: Type.String(),
  id: Type.String(),
  title: Type.String(),
  fields: List(JsonMap),
});

const UIMetadata = Type.Object({
  type: Type.Literal('metadata'),
  slot: Type.String(),
  id: Type.String(),
  title: Type.String(),
  layout: OneOf(['key-value', 'list', 'chips', 'gallery']),
  fields: List(JsonMap),
});

const UIAction = Type.Object({
  type: Type.Literal('action'),
  slot: Type.String(),
  id: Type.String(),
  label: Type.String(),
  icon: Type.Optional(Type.String()),
  confirm: Type.Optional(Type.String()),
  rpcMethod: Type.String(),
});

export const ViewReply = List(Type.Union([UIForm, UIMetadata, UIAction]));
