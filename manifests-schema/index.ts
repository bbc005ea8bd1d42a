/** The JSON Schemas (2020-12) of foreign data. */
export { default as bundleDeltaSchema } from './bundle-delta.schema.json' with { type: 'json' };
export { default as localeSchema } from './locale.schema.json' with { type: 'json' };
export { default as marketplaceIndexSchema } from './marketplace-index.schema.json' with { type: 'json' };
export { default as packageSignatureSchema } from './package-signature.schema.json' with { type: 'json' };
export { default as permissionsSchema } from './permissions.schema.json' with { type: 'json' };
export { default as pluginSchema } from './plugin.schema.json' with { type: 'json' };
export { default as scanPrepareDeltaSchema } from './scan-prepare-delta.schema.json' with { type: 'json' };
export { default as uiSchema } from './ui.schema.json' with { type: 'json' };
