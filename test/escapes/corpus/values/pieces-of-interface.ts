import { createUISchemaCheck } from '../../../../kernel/call/views/ui-schema-check.ts';
import type { ValueClass } from '../attempt.ts';

const check = createUISchemaCheck();
const form = {
  type: 'form',
  slot: 'settings-panes',
  id: 'a',
  title: 'A',
  fields: [{ key: 'k', label: 'K', input: 'text' }],
};
const facts = {
  type: 'metadata',
  slot: 'detail-metadata',
  id: 'a',
  title: 'A',
  layout: 'list',
  fields: [{ key: 'k', value: 1 }],
};
const action = { type: 'action', slot: 'detail-actions', id: 'a', label: 'A', icon: 'refresh', rpcMethod: 'refresh' }; // oxfmt-ignore

/** What a view gives to be shown. */
export const piecesOfInterface: ValueClass = {
  name: 'pieces of interface',
  honest: action,
  attempts: {
    'a script': { ...form, type: 'script', src: 'https://evil.example/x.js' },
    'markup beside the title': { ...form, html: '<img src=x onerror=alert(1)>' },
    'a style': { ...form, style: 'position:fixed' },
    'a handler of clicks': { ...action, onclick: 'alert(1)' },
    'an address': { ...action, href: 'javascript:alert(1)' },
    'an action that is not in the manifest': { ...action, rpcMethod: 'wipe' },
    'an action by the name of a prototype': { ...action, rpcMethod: '__proto__' },
    'an action of another plugin': { ...action, rpcMethod: 'victim/refresh' },
    'an action as a list': { ...action, rpcMethod: ['refresh'] },
    'a place that is not one': { ...form, slot: 'body' },
    'a place by the name of a prototype': { ...form, slot: 'constructor' },
    'a title that is an object': { ...form, title: { __html: '<b>' } },
    'a prototype as key': JSON.parse('{"type":"form","__proto__":{"isAdmin":true}}') as unknown,
    'a prototype among the values': { ...facts, fields: [JSON.parse('{"key":"k","value":1,"__proto__":{}}')] },
    'a field with a picture of a script': { ...facts, fields: [{ key: 'k', value: 'v', image: 'data:text/html,<script>' }] },
    'a field that leads to a script': { ...facts, fields: [{ key: 'k', value: 'v', href: 'javascript:alert(1)' }] },
    'a field that leads to a script, in capitals': { ...facts, fields: [{ key: 'k', value: 'JavaScript:alert(1)' }] },
    'a field that leads to a script, behind a space': { ...facts, fields: [{ key: 'k', value: ' \u0001javascript:alert(1)' }] },
    'a field that leads to a script, with tabulators': { ...facts, fields: [{ key: 'k', value: 'java\tscr\nipt:alert(1)' }] },
    'a field that leads to an old script': { ...facts, fields: [{ key: 'k', value: 'vbscript:x' }] },
    'a field that leads to a page of its own': { ...facts, fields: [{ key: 'k', items: [{ to: 'data:text/html,<script>alert(1)</script>' }] }] },
    'a picture that holds a script': { ...facts, fields: [{ key: 'k', image: 'data:image/svg+xml,<svg onload=alert(1)>' }] },
    'an unknown layout': { ...facts, layout: 'iframe' },
    'a depth without end': { ...form, fields: JSON.parse('['.repeat(60) + ']'.repeat(60)) as unknown },
    'nothing': null,
  },
  wins: (value: unknown) => check(value, ['refresh']).ok,
}; // oxfmt-ignore
