import { expect, test } from 'vitest';
import type { SqliteConnection, SqliteResult } from './driver.ts';
import { createSharedReader } from './shared-reader.ts';

const nothing: SqliteResult = { rows: [], changes: 0, lastRowId: 0 };

/** Connections whose statements end when the test says so. */
function scene() {
  const connections: { readonly ran: string[]; isOpen: boolean; finish: () => void }[] = [];
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  let now = 0;
  const open = async (): Promise<SqliteConnection> => {
    const waiting: (() => void)[] = [];
    const one = {
      ran: [] as string[],
      isOpen: true,
      finish: () => waiting.splice(0).forEach((end) => end()),
    };
    connections.push(one);
    return {
      run: (sql) => {
        one.ran.push(sql);
        return new Promise((resolve) => waiting.push(() => resolve(nothing)));
      },
      isOpen: () => one.isOpen,
      close: async () => void (one.isOpen = false),
    };
  };
  const reader = createSharedReader({
    open,
    now: () => now,
    after: (ms, run) => timers.push({ at: now + ms, run }),
  });
  const pass = (ms: number) => {
    now += ms;
    for (const timer of timers.splice(0)) {
      if (timer.at <= now) timer.run();
      else timers.push(timer);
    }
  };
  const ran = () => connections.map((one) => one.ran);
  return { reader, connections, pass, ran };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('all leases use one connection, which is closed with the last of them', async () => {
  const { reader, connections, ran } = scene();
  const [a, b] = [await reader.lease(), await reader.lease()];

  void a.run('select 1', [], 'rows');
  void b.run('select 2', [], 'rows');
  await a.close();
  const afterOne = connections.map((one) => one.isOpen);
  await b.close();

  expect(ran()).toEqual([['select 1', 'select 2']]);
  expect([afterOne, connections.map((one) => one.isOpen)]).toEqual([[true], [false]]);
});

test('while a statement takes long, later ones use a second connection, which does not stay', async () => {
  const { reader, connections, pass, ran } = scene();
  const lease = await reader.lease();
  void lease.run('select slow', [], 'rows');

  pass(26);
  void lease.run('select quick', [], 'rows');
  await settled();
  for (const one of connections) one.finish();
  await settled();
  void lease.run('select next', [], 'rows');
  pass(10_000);
  await settled();

  expect(ran()).toEqual([['select slow', 'select next'], ['select quick']]);
  expect(connections.map((one) => one.isOpen)).toEqual([true, false]);
});

test.each(['vacuum into ?', 'pragma integrity_check(10)', 'PRAGMA quick_check(1)'])(
  'gives %s a connection of its own',
  async (sql) => {
    const { reader, connections, ran } = scene();
    const lease = await reader.lease();

    const whole = lease.run(sql, [], 'rows');
    await settled();
    void lease.run('select 1', [], 'rows');
    connections[1]?.finish();
    await whole;

    expect(ran()).toEqual([['select 1'], [sql]]);
    expect(connections.map((one) => one.isOpen)).toEqual([true, false]);
  },
);

test('replaces a connection that broke', async () => {
  const { reader, connections, ran } = scene();
  const lease = await reader.lease();
  connections.forEach((one) => (one.isOpen = false));

  void lease.run('select 1', [], 'rows');
  await settled();

  expect(ran()).toEqual([[], ['select 1']]);
});
