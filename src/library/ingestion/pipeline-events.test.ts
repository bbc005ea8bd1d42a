import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createPipelineEvents } from './pipeline-events.ts';

test('20 events of each name are sent per second, and 20 more in the next', async () => {
  const clock = createFakeClock();
  const heard: string[] = [];
  const events = createPipelineEvents((type) => void heard.push(type), clock);
  const items = { libraryId: 'l', itemIds: Array.from({ length: 50 }, (_, no) => `i${no}`) };

  events.enters(items, 'probing');
  events.stepStarts(items, 'probe');
  for (const itemId of items.itemIds) events.discovered('l', itemId);
  expect(count(heard)).toEqual({
    'pipeline.item.stateChanged': 20,
    'pipeline.step.started': 20,
    'pipeline.item.discovered': 20,
  });

  await clock.advance(1000);
  events.enters(items, 'identifying');
  expect(count(heard)['pipeline.item.stateChanged']).toBe(40);
});

test('an item that leaves causes two events: its new state, and that it is done', () => {
  const heard: unknown[] = [];
  const events = createPipelineEvents(
    (type, data) => void heard.push([type, data]),
    createFakeClock(),
  );

  events.leaves('l', 'i', 'failed');

  const data = { itemId: 'i', libraryId: 'l', state: 'failed' };
  expect(heard).toEqual([
    ['pipeline.item.stateChanged', data],
    ['pipeline.item.completed', data],
  ]);
});

function count(names: readonly string[]): Record<string, number> {
  const groups = Object.groupBy(names, (name) => name);
  return Object.fromEntries(Object.entries(groups).map(([name, all]) => [name, all?.length ?? 0]));
}
