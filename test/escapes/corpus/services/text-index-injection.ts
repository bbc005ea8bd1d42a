import type { ServiceClass } from '../attempt.ts';

const ask = (text: string, more = ''): string =>
  `return host.textIndex.query({ terms: [{ text: ${JSON.stringify(text)}, prefix: true }], limit: 50${more} });`;

/** The victim has a document whose title begins with `canary`. */
export const textIndexInjection: ServiceClass = {
  name: 'indexes of other plugins',
  by: 'burglar',
  control: `await host.textIndex.put({ documents: [{ id: 'd', scope: 's', kind: 'k', title: 'alpha', body: '' }] }); return (await host.textIndex.query({ terms: [{ text: 'alpha' }], limit: 5 })).total === 1 ? 'ok' : null;`,
  attempts: {
    'its own word': ask('canary'),
    'an expression with or': ask('alpha" OR "canary'),
    'an expression with a star': ask('canary* OR alpha*'),
    'a filter by column': ask('title : canary'),
    'a filter by all columns': ask('{title body} : canary'),
    'an expression with near': ask('NEAR(canary alpha, 10)'),
    'an expression with not': ask('alpha NOT zzz'),
    'an anchor': ask('^canary'),
    'a quote that ends the text': ask("alpha' union select title from text_index_1_documents --"),
    'a semicolon': ask('alpha"; drop table kv_entries; --'),
    'NUL in a term': ask('alpha\0canary'),
    'half a quote': ask('"'),
    'the scope of another': ask('canary', ", scopes: ['theirs']"),
    'SQL in a scope': ask('alpha', `, scopes: ["x') or 1=1 --"]`),
    'the kind of another': ask('canary', ", kind: 'theirs'"),
    'SQL in a kind': ask('alpha', `, kind: "k' or '1'='1"`),
    'a field with the name of the plugin': ask('canary', ", pluginId: 'victim'"),
    'similar words': `return host.textIndex.similar({ text: 'canaryy', limit: 50 });`,
    'similar words of a pattern': `return host.textIndex.similar({ text: 'c%', limit: 50 });`,
    'a document with the id of another': `await host.textIndex.put({ documents: [{ id: 'secret', scope: 'theirs', kind: 'theirs', title: 'overwritten', body: '' }] }); return null;`,
    'removal of the document of another': `await host.textIndex.remove({ ids: ['secret'] }); return null;`,
    'SQL in an id': `await host.textIndex.remove({ ids: ["' or '1'='1"] }); return null;`,
  },
}; // oxfmt-ignore
