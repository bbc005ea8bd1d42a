import { expect, test } from 'vitest';
import type { Manifest } from '../../../plugin-api/index.ts';
import { interfaceSentence } from './interface-sentence.ts';

const user = { name: 'b', access: 'user' } as const;

const method = (name: string) => {
  const any = { type: 'object' } as const;
  return { name, description: 'It says it.', input: any, output: any };
};

test.each<
  [Pick<Manifest, 'subscriptions' | 'actions' | 'exports' | 'profileConfiguration'>, string | null]
>([
  [{}, null],
  [
    { subscriptions: { views: ['ui.item.detail.panels', 'ui.player.overlays'] } },
    'It adds panels to item pages and overlays to the player.',
  ],
  [{ actions: ['a'] }, 'It offers 1 action to admins.'],
  [{ actions: [user] }, 'It offers 1 action to users.'],
  [
    { actions: ['a', user, { name: 'c', access: 'admin' }] },
    'It offers 3 actions, 2 of them to admins alone.',
  ],
  [
    { subscriptions: { views: ['ui.settings.sections'] }, actions: ['a'] },
    'It adds a section to the settings. It offers 1 action to admins.',
  ],
  [
    { exports: [method('rating'), method('year')] },
    'It answers other plugins that you allow to call rating and year.',
  ],
  [
    { profileConfiguration: [{ key: 'token', label: 'Token', input: 'secret' }] },
    'It asks each profile for Token.',
  ],
])('%j is said in words', (manifest, sentence) => {
  expect(interfaceSentence(manifest)).toBe(sentence);
});
