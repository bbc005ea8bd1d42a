import { jsonValueFault } from '../../json-limits.ts';
import { createSchemaCheck } from '../../schema-check.ts';

/** The keys that fit, as a delta (`null` means no change), or the reason why none does. */
export type CheckedDelta<Delta> =
  | {
      readonly ok: true;
      readonly value: Delta | null;
      /** Why keys were left out, one reason each; empty when all fit. */
      readonly refused: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Checks what a subscriber returned. */
export type DeltaCheck<Delta> = (value: unknown) => CheckedDelta<Delta>;

/** The form of a delta. */
export interface DeltaShape {
  readonly schema: object;
  /** Keys of the hook's input: a value with one of them is the input sent back, not a delta. */
  readonly inputKeys: readonly string[];
  /** A key whose own keys are refused one by one as well. */
  readonly splitKey?: string;
  /** A delta as JSON, for the diagnostic. */
  readonly example: string;
}

const maxDepth = 32;
/** A delta with more keys and a fault is refused as a whole. */
const mostKeys = 50;

/**
 * Creates the check of one kind of delta: cheap refusals first, the closed schema last. If the schema
 * refuses the delta, each key is checked alone, so that one wrong key does not cost the others.
 */
export function createDeltaCheck<Delta>(shape: DeltaShape): DeltaCheck<Delta> {
  const { schema, inputKeys, example } = shape;
  const checkSchema = createSchemaCheck<Delta>(schema);

  /** Checks each key alone, as a delta of its own. */
  function keysThatFit(
    value: JsonMap,
    wrap = (key: string, one: unknown): JsonMap => ({ [key]: one }),
  ) {
    const kept: Record<string, unknown> = {};
    const refused: string[] = [];
    const entries = Object.entries(value);
    if (entries.length > mostKeys) return { kept, refused };
    for (const [key, one] of entries) {
      const checked = checkSchema(wrap(key, one));
      if (checked.ok) kept[key] = one;
      else if (key === shape.splitKey && isMap(one)) {
        const inner = keysThatFit(one, (innerKey, innerOne) => ({
          [key]: { [innerKey]: innerOne },
        }));
        refused.push(...inner.refused);
        if (Object.keys(inner.kept).length > 0) kept[key] = inner.kept;
      } else refused.push(checked.reason);
    }
    return { kept, refused };
  }

  const wholeInput = `it is the whole {${inputKeys.join(', ')}}; return only what you add, for example ${example}, or null for no change`;

  return (value) => {
    if (value === null || value === undefined) return { ok: true, value: null, refused: [] };
    if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) {
      return {
        ok: false,
        reason: `it must be an object such as ${example}, or null for no change`,
      };
    }
    if (inputKeys.some((key) => Object.hasOwn(value, key)))
      return { ok: false, reason: wholeInput };
    const fault = jsonValueFault(value, maxDepth);
    if (fault !== null) return { ok: false, reason: fault };
    const whole = checkSchema(value);
    if (whole.ok) return { ...whole, refused: [] };
    const { kept, refused } = keysThatFit({ ...value });
    if (Object.keys(kept).length === 0) return whole;
    const part = checkSchema(kept);
    return part.ok ? { ...part, refused } : part;
  };
}

type JsonMap = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
