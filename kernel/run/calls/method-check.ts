/** The schemas of exported methods, as checks of inputs and answers. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataSchema, ExportedMethod } from '../../../plugin-api/index.ts';
import { guestWords } from '../../foreign-text.ts';
import { schemaFaults } from '../manifest/schema-faults.ts';

/** Checks one method. Each gives the fault in words, or `null`. */
export interface MethodCheck {
  readonly input: (value: unknown) => string | null;
  readonly output: (value: unknown) => string | null;
}

/** The check of a method, compiled at its first use and kept as long as its manifest. */
export function createMethodChecks(): (method: ExportedMethod) => MethodCheck {
  const made = new WeakMap<ExportedMethod, MethodCheck>();
  return (method) => {
    const known = made.get(method);
    if (known) return known;
    const check = {
      input: checkOf(method.input, 'The input'),
      output: checkOf(method.output, 'The answer'),
    };
    made.set(method, check);
    return check;
  };
}

/**
 * The manifest reader admits only schemas without references, patterns and choices. So a check stops
 * at the first fault and takes time in proportion to the value, with any schema.
 */
function checkOf(schema: DataSchema, root: string): MethodCheck['input'] {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= new Ajv2020({
      strict: false,
      verbose: true,
      validateSchema: false,
      meta: false,
      code: { optimize: false },
    }).compile(schema);
    return check(value) ? null : guestWords(schemaFaults(check.errors, root).join(' '), 1000);
  };
}
