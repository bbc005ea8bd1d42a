import type { GuestHandler } from './handler.ts';
import { describeFailure, type Failure } from './failure.ts';
import { append, isArray } from './primordials.ts';

/** What became of one of several inputs. */
type Answer = { readonly value: unknown } | { readonly error: Failure };

/**
 * The handler for a list of inputs: it is begun for all of them, and what one comes to is nothing to
 * the others. The answer has one entry for each, in their order.
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
