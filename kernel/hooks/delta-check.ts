import { jsonValueFault } from '../json-limits.ts';
import { createSchemaCheck, type Checked } from '../schema-check.ts';

/** What a subscriber returned, as a delta; `null` means no change. */
export type DeltaCheck<Delta> = (value: unknown) => Checked<Delta | null>;

/** The form of a delta. */
export interface DeltaShape {
  readonly schema: object;
  /** Keys of the hook's input: a value with one of them is the input sent back, not a delta. */
  readonly inputKeys: readonly string[];
  /** A delta as JSON, for the diagnostic. */
  readonly example: string;
}

const maxDepth = 32;

/** Creates the check of one kind of delta: cheap refusals first, the closed schema last. */
export function createDeltaCheck<Delta>(shape: DeltaShape): DeltaCheck<Delta> {
  const { schema, inputKeys, example } = shape;
  const checkSchema = createSchemaCheck<Delta>(schema);
  const wholeInput = `it is the whole {${inputKeys.join(', ')}}; return only what you add, for example ${example}, or null for no change`;

  return (value) => {
    if (value === null || value === undefined) return { ok: true, value: null };
    if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) {
      return {
        ok: false,
        reason: `it must be an object such as ${example}, or null for no change`,
      };
    }
    if (inputKeys.some((key) => Object.hasOwn(value, key)))
      return { ok: false, reason: wholeInput };
    const fault = jsonValueFault(value, maxDepth);
    return fault === null ? checkSchema(value) : { ok: false, reason: fault };
  };
}
