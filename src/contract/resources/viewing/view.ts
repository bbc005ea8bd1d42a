/** The pieces of user interface that plugins give, as replies have them. */
import { Type } from '@sinclair/typebox';
import { uiSlots } from '../../../../plugin-api/index.ts';
import { List, Named, OneOf } from '../schema-parts.ts';

const Slot = Named('Slot', OneOf(uiSlots, { description: 'The place on a page' }));

const pluginId = Type.String({ description: 'The plugin that gave it, for its actions' });

const text = Type.Optional(Type.String());
const number = Type.Optional(Type.Number());

const UIFormField = Named(
  'UIFormField',
  Type.Object({
    key: Type.String(),
    label: Type.String(),
    input: Type.String(),
    required: Type.Optional(Type.Boolean()),
    default: Type.Optional(Type.Unknown()),
    options: Type.Optional(List(Type.Unknown())),
    min: number,
    max: number,
    description: text,
  }),
);

const UIFact = Named(
  'UIFact',
  Type.Object({
    key: Type.String(),
    value: Type.Optional(Type.Unknown({ description: 'A text, a number, a boolean or null' })),
    description: text,
    image: Type.Optional(Type.String({ description: '`/api/assets/<id>`' })),
    itemId: text,
    libraryId: text,
    entityId: text,
  }),
);

const UIForm = Named(
  'UIForm',
  Type.Object({
    type: Type.Literal('form'),
    pluginId,
    slot: Slot,
    id: Type.String(),
    title: Type.String(),
    fields: List(UIFormField),
    submit: Type.Optional(Type.Object({ rpcMethod: Type.String(), label: Type.String() })),
  }),
);

const UIMetadata = Named(
  'UIMetadata',
  Type.Object({
    type: Type.Literal('metadata'),
    pluginId,
    slot: Slot,
    id: Type.String(),
    title: Type.String(),
    layout: OneOf(['key-value', 'list', 'chips', 'gallery']),
    fields: List(UIFact),
  }),
);

const UIAction = Named(
  'UIAction',
  Type.Object({
    type: Type.Literal('action'),
    pluginId,
    slot: Slot,
    id: Type.String(),
    label: Type.String(),
    icon: Type.Optional(Type.String()),
    confirm: Type.Optional(Type.String()),
    rpcMethod: Type.String(),
  }),
);

export const View = Named('View', Type.Union([UIForm, UIMetadata, UIAction]));
