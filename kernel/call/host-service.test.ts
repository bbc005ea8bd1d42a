/** What a service gets of the records of plugin-api, and what does not compile. */
import { expect, test } from 'vitest';
import { hostService } from './host-service.ts';

test('a service has the record of each of its methods, with what runs it', () => {
  const run = async () => ({ jobId: 'one' });
  const { name, methods } = hostService('jobs', {
    enqueue: { run, subject: ({ type }) => type },
  });

  expect(name).toBe('jobs');
  expect(Object.keys(methods)).toEqual(['enqueue']);
  expect(methods.enqueue).toMatchObject({
    permission: { name: 'jobs' },
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['type'],
      properties: { type: {}, libraryId: {}, payload: {} },
    },
    run,
  });
});

/** Only the compiler reads these. */
export const refused = [
  // @ts-expect-error -- A method that plugin-api declares has nothing that runs it.
  () => hostService('jobs', {}),
  // @ts-expect-error -- plugin-api declares no such method.
  () => hostService('jobs', { enqueue: async () => ({ jobId: '' }), dequeue: async () => null }),
  // @ts-expect-error -- The answer is another than plugin-api declares.
  () => hostService('jobs', { enqueue: async () => ({ id: '' }) }),
  // @ts-expect-error -- The input has no such field.
  () => hostService('jobs', { enqueue: async ({ kind }) => ({ jobId: String(kind) }) }),
  () =>
    hostService('eventLog', {
      follow: async () => null,
      release: async () => null,
      // @ts-expect-error -- The answer of a raw method is finished text or bytes.
      read: async () => ({ events: [], more: false }),
    }),
];
