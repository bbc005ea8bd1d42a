import { expect, test } from 'vitest';
import { errorRules } from '../../../src/http/error-replies.ts';
import { thrown } from './actions.ts';

const called = { id: 'trailers', rpcMethod: 'refresh' };

test.each([
  ['handler_suspended', 'handler_suspended', 503, 60],
  ['plugin_not_running', 'plugin_not_running', 503, 5],
  ['plugin_crashed', 'plugin_failed', 502, undefined],
  ['plugin_error', 'plugin_failed', 502, undefined],
])('an action that ended with %s answers %s, status %i', (code, wanted, status, seconds) => {
  const error = thrown({ code, message: 'The handler is suspended until noon.' }, called);

  expect(error.code).toBe(wanted);
  expect(errorRules[error.code]).toMatchObject({ status });
  expect(errorRules[error.code]?.retryAfterSeconds).toBe(seconds);
});
