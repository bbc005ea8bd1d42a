import type { GuestHandler } from './handler.ts';
import { describeFailure, type Failure } from './failure.ts';
import { append, isArray } from './primordials.ts';

/** The result of one of several inputs. */
type Answer = { readonly value: unknown } | { readonly error: Failure };

/**
 * Makes a handler for a list of inputs. It starts the given handler for all of them, and a failure of
 * one does not affect the others. The answer has one entry for each, in order.
 */
export function eachOf(handler: GuestHandler): GuestHandler {
  return (inputs, host) => {
    const answers: Promise<Answer>[] = [];
    const list: readonly unknown[] = isArray(inputs) ? inputs : [];
    for (let index = 0; index < list.length; index++)
      append(answers, answerOf(handler, list[index], host));
    return inOrder(answers);
  };
}

async function answerOf(handler: GuestHandler, input: unknown, host: object): Promise<Answer> {
  try {
    return { value: await handler(input, host) };
  } catch (thrown) {
    return { error: describeFailure(thrown) };
  }
}

async function inOrder(answers: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  const settled: Answer[] = [];
  for (let index = 0; index < answers.length; index++) {
    const answer = await answers[index];
    if (answer !== undefined) append(settled, answer);
  }
  return settled;
}
