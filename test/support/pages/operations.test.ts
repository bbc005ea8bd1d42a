import { expect, test } from 'vitest';
import { operationOf, uncalledOperations, type Operation } from './operations.ts';

const operations: readonly Operation[] = [
  { id: 'getUser', role: 'admin', method: 'get', route: '/api/users/{id}' },
  { id: 'updateUser', role: 'admin', method: 'patch', route: '/api/users/{id}' },
  { id: 'getOwnUser', role: 'admin', method: 'get', route: '/api/users/me' },
  { id: 'getPluginFile', role: 'admin', method: 'get', route: '/api/plugins/{id}/files' },
  { id: 'getReadiness', role: 'admin', method: 'get', route: '/api/ready' },
];

test.each([
  ['GET', '/api/users/7', 'getUser'],
  ['PATCH', '/api/users/7', 'updateUser'],
  ['GET', '/api/users/me', 'getOwnUser'],
  ['GET', '/api/plugins/a.b/files', 'getPluginFile'],
  ['GET', '/api/users/', undefined],
  ['GET', '/api/users/7/sessions', undefined],
  ['DELETE', '/api/users/7', undefined],
])('%s %s calls the operation %s', (method, path, id) => {
  expect(operationOf(operations, { method, path })?.id).toBe(id);
});

test('operations that no page called are named, but for those that need no page', () => {
  const requests = [
    { method: 'GET', path: '/api/users/7' },
    { method: 'GET', path: '/api/plugins/a.b/files' },
    { method: 'GET', path: '/api/nothing' },
  ];
  const uncalled = uncalledOperations(operations, requests);
  expect(uncalled.map(({ id }) => id)).toEqual(['updateUser', 'getOwnUser']);
});
