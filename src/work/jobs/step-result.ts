import type { JobRunResult } from '../../../plugin-api/index.ts';
import { KernelError } from '../../../kernel/index.ts';

const largestJson = 256 * 1024;

/** Validates the result of a step, which may come from a plugin. */
export function parseStepResult(value: unknown): JobRunResult {
  if (!isObject(value)) throw refusal('it is not an object');
  if (value['done'] === true) return { done: true, result: parseResult(value['result']) };
  if (value['done'] !== false) throw refusal('`done` is neither true nor false');
  const { checkpoint, progress } = value;
  if (checkpoint === undefined) throw refusal('`checkpoint` is missing');
  if (typeof progress !== 'number' || !(progress >= 0 && progress <= 1)) {
    throw refusal('`progress` is not a number from 0 to 1');
  }
  return { done: false, checkpoint: ofBearableSize(checkpoint, '`checkpoint`'), progress };
}

function parseResult(result: unknown): Readonly<Record<string, unknown>> {
  if (result === undefined || result === null) return {};
  if (!isObject(result) || Array.isArray(result)) throw refusal('`result` is not an object');
  ofBearableSize(result, '`result`');
  return result;
}

function ofBearableSize(value: unknown, name: string): unknown {
  const size = JSON.stringify(value).length;
  if (size <= largestJson) return value;
  throw refusal(`${name} is ${size} characters of JSON, above ${largestJson}`);
}

const refusal = (why: string): KernelError =>
  new KernelError('plugin_failed', `The answer of job.run cannot be used: ${why}.`);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
