import { Type } from '@sinclair/typebox';
import { Job } from './catalogue.ts';
import { Body, List, Named, type Shape } from '../schema-parts.ts';

const PluginIds = (description: string) =>
  List(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 50, description });

const settings = {
  order: PluginIds('Best first; others come after these, in the usual order'),
  fields: Type.Record(Type.String({ maxLength: 100 }), PluginIds('Best first'), {
    maxProperties: 50,
    description:
      'The order for single fields: `title`, a key of the metadata, a role such as `actor`, or a type of picture such as `poster`',
  }),
  languages: List(Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' }), {
    maxItems: 10,
    description: 'BCP 47 tags, best first; indexers get them as `languages`',
  }),
};

export const SourcesChange = Named('LibrarySourcesChange', Body(settings));

/** The sources of a library: indexers that use the network, by the ids of their plugins. */
export type LibrarySources = Shape<typeof SourcesChange>;

const Texts = List(Type.String());

const Sources = Named(
  'LibrarySources',
  Type.Object({
    order: Texts,
    fields: Type.Record(Type.String(), Texts),
    languages: Texts,
    sources: List(Type.Object({ pluginId: Type.String(), pluginName: Type.String() }), {
      description: 'The running indexers that use the network, best first',
    }),
  }),
);

export const SourcesReply = Sources;

export const SourcesChangedReply = Type.Object({ sources: Sources, job: Job });
