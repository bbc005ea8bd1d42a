import { describe, expect, test } from 'vitest';
import type { DispatchCall, Dispatcher } from './dispatch.ts';
import type { Outcome } from './outcome.ts';
import type { IncomingCall, Reach } from './reach.ts';
import { scopedDispatcher, withheldCode } from './scoped-dispatch.ts';

type Verdict = (call: IncomingCall) => boolean | Promise<boolean>;

/** A dispatcher that answers with `value`, behind a policy; and the calls that passed. */
function behind(
  canReceive: Verdict,
  { reach = [], value = null }: { reach?: Reach; value?: unknown },
) {
  const came: DispatchCall[] = [];
  const dispatcher: Dispatcher = {
    dispatch: async (call): Promise<Outcome> => {
      came.push(call);
      return { kind: 'returned', value, durationMs: 1 };
    },
    isRunning: () => true,
    unknownHandlers: () => 0,
  };
  const reached = scopedDispatcher(dispatcher, {
    reachOf: () => reach,
    isOwn: () => false,
    judge: { canReceive: (_, call) => canReceive(call) },
  });
  const dispatch = (method: string, input: unknown, more: Partial<DispatchCall> = {}) =>
    reached.dispatch({
      pluginId: 'narrow',
      method,
      inputJson: JSON.stringify(input),
      timeoutMs: 1000,
      ...more,
    });
  return { dispatch, came };
}

const never: Verdict = () => false;

describe('a call into a plugin', () => {
  test('is made without a check when the reach is not limited', async () => {
    const { dispatch, came } = behind(never, { reach: 'all' });

    await dispatch('probe.probe', {});

    expect(came).toHaveLength(1);
  });

  test.each(['event.dispatch', 'hook.dispatch', 'view.dispatch'])(
    'of %s ends as if the plugin had answered with nothing when it is out of reach',
    async (method) => {
      const { dispatch, came } = behind(never, {});

      expect(await dispatch(method, {})).toEqual({ kind: 'returned', value: null, durationMs: 0 });
      expect(came).toEqual([]);
    },
  );

  test.each([never, () => Promise.reject(new Error('The database is away.'))])(
    'is refused with a code that no plugin can produce, also without a policy',
    async (verdict) => {
      const { dispatch, came } = behind(verdict, {});

      expect(await dispatch('probe.probe', {})).toMatchObject({
        kind: 'threw',
        code: withheldCode,
      });
      expect(withheldCode).not.toMatch(/^[a-z][a-z0-9_]*$/);
      expect(came).toEqual([]);
    },
  );

  test('is judged by its input, its name and its subject', async () => {
    const judged: IncomingCall[] = [];
    const { dispatch } = behind((call) => judged.push(call) > 0, {});

    await dispatch('view.dispatch', { slot: 's' }, { name: 's', subject: { libraryId: 'films' } });

    expect(judged).toEqual([
      { method: 'view.dispatch', name: 's', input: { slot: 's' }, subject: { libraryId: 'films' } },
    ]);
  });

  test('with many inputs sends only those in reach, and keeps the places of the others', async () => {
    const isOdd: Verdict = ({ method, input }) =>
      method === 'hook.dispatch' && (input as { input: number }).input % 2 === 1;
    const value = [{ value: 'one' }, { error: 'three' }];
    const { dispatch, came } = behind(isOdd, { value });

    const outcome = await dispatch('hook.dispatchAll', { name: 'h', inputs: [1, 2, 3, 4] });
    const none = await dispatch('hook.dispatchAll', { name: 'h', inputs: [2, 4] });

    expect(outcome).toMatchObject({
      value: [{ value: 'one' }, { value: null }, { error: 'three' }, { value: null }],
    });
    expect(none).toMatchObject({ kind: 'returned', value: [{ value: null }, { value: null }] });
    expect(came.map(({ inputJson }) => inputJson)).toEqual(['{"name":"h","inputs":[1,3]}']);
  });

  test('that is an event starts in the order of emission, also with slow verdicts', async () => {
    const first = Promise.withResolvers<boolean>();
    const verdicts = [first.promise, true, true].values();
    const { dispatch, came } = behind(() => verdicts.next().value ?? false, {});

    const ends = [1, 2, 3].map((data) => dispatch('event.dispatch', { data }));
    first.resolve(true);
    await Promise.all(ends);

    expect(came.map(({ inputJson }) => inputJson)).toEqual(
      [1, 2, 3].map((data) => JSON.stringify({ data })),
    );
  });
});

describe('an event of a hidden scope', () => {
  const asked: string[] = [];
  const judged: unknown[] = [];
  const dispatcher: Dispatcher = {
    dispatch: async ({ pluginId, inputJson }): Promise<Outcome> => {
      asked.push(`${pluginId} ${inputJson}`);
      return { kind: 'returned', value: 'heard', durationMs: 1 };
    },
    isRunning: () => true,
    unknownHandlers: () => 0,
  };
  const hidden = {
    any: () => true,
    shownOf: (reach: Reach) => reach,
    isIn: async (event: { readonly data?: unknown }, hearer: string | null) => {
      const { data } = event;
      judged.push([event, hearer]);
      if (data === null) throw new Error('The database is away.');
      return (data as { readonly secret: boolean }).secret;
    },
  };
  const reached = scopedDispatcher(dispatcher, {
    reachOf: () => 'all',
    isOwn: (id) => id === 'own',
    judge: { canReceive: () => false, hidden },
  });
  const tell = async (pluginId: string, data: unknown, method = 'event.dispatch') => {
    const call = {
      pluginId,
      method,
      inputJson: JSON.stringify({ type: 't', data }),
      timeoutMs: 1000,
    };
    const outcome = await reached.dispatch(call);
    return outcome.kind === 'returned' ? outcome.value : outcome.kind;
  };

  test('does not reach a plugin that was granted everything, and ends as if it had been delivered', async () => {
    expect(await tell('stranger', { secret: true })).toBeNull();
    expect(await tell('stranger', { secret: false })).toBe('heard');
    expect(await tell('own', { secret: true })).toBe('heard');
    expect(await tell('stranger', { secret: true }, 'job.run')).toBe('heard');
    expect(await tell('stranger', null)).toBeNull();
    expect(asked.map((one) => one.split(' ')[0])).toEqual(['stranger', 'own', 'stranger']);
    expect(judged[0]).toEqual([{ type: 't', data: { secret: true } }, 'stranger']);
  });
});
