/**
 * Release tags: words of the file name that say what kind of release it is.
 *
 * One file, no build: an ES module whose default export has the plugin's handlers. With
 * `definePlugin` from `@vitrine/plugin-api` around it an editor knows every type; it adds nothing
 * at run time, so plain JavaScript does not need it.
 *
 * @typedef {import('@vitrine/plugin-api').Host} Host
 */

/**
 * The configured words in the file name, in the order of the configuration.
 *
 * @param {string} filename
 * @param {readonly string[]} wanted
 */
function tagsIn(filename, wanted) {
  const words = new Set(filename.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return wanted.filter((tag) => words.has(tag.toLowerCase()));
}

/**
 * The value of the item under this plugin's own key.
 *
 * @param {string} itemId
 * @param {Host} host
 * @returns {Promise<readonly string[]>}
 */
async function tagsOf(itemId, host) {
  const { metadata } = await host.library.item({ itemId });
  const tags = metadata['release-tags'];
  return Array.isArray(tags) ? tags : [];
}

/** @type {import('@vitrine/plugin-api').PluginDefinition} */
export default {
  hooks: {
    async 'pipeline.index.afterProcess'({ bundle }, host) {
      const { tags } = await host.config.get({});
      const wanted = /** @type {readonly string[]} */ (tags);
      const found = bundle.files.media.flatMap((file) => tagsIn(file.filename, wanted));
      return found.length === 0 ? null : { fields: { 'release-tags': [...new Set(found)] } };
    },
  },

  events: {
    async 'library.item.enriched'({ data }, host) {
      for (const tag of await tagsOf(data.itemId, host)) {
        const count = Number((await host.kv.get({ key: `count/${tag}` })) ?? 0);
        await host.kv.set({ key: `count/${tag}`, value: count + 1 });
      }
    },
  },

  views: {
    async 'ui.item.detail.panels'({ itemId }, host) {
      const tags = await tagsOf(itemId, host);
      if (tags.length === 0) return [];
      const { title } = await host.config.get({});
      const fields = tags.map((tag) => ({ key: tag, value: tag }));
      return [
        {
          type: 'metadata',
          slot: 'detail-metadata',
          id: 'release-tags',
          title: String(title),
          layout: 'chips',
          fields,
        },
      ];
    },

    'ui.item.detail.actions': () => [
      {
        type: 'action',
        slot: 'detail-actions',
        id: 'release-tags-count',
        label: 'How often is each tag seen?',
        rpcMethod: 'countTags',
      },
    ],
  },

  actions: {
    async countTags(_, host) {
      const { keys } = await host.kv.list({ prefix: 'count/' });
      const counts = await Promise.all(
        keys.map(async (key) => [key.slice('count/'.length), await host.kv.get({ key })]),
      );
      return Object.fromEntries(counts);
    },

    async resetCounts(_, host) {
      const { keys } = await host.kv.list({ prefix: 'count/' });
      await Promise.all(keys.map((key) => host.kv.remove({ key })));
      return { removed: keys.length };
    },
  },
};
