import { uiSchema } from '../../../manifests-schema/index.ts';
import type { UISchema } from '../../../plugin-api/index.ts';
import { quoted } from '../../foreign-text.ts';
import { jsonValueFault } from '../../json-limits.ts';
import { createSchemaCheck, type Checked } from '../../schema-check.ts';

/** Checks one UI piece against the closed schema and the plugin's own actions. */
export type UISchemaCheck = (
  value: unknown,
  actions: readonly string[],
) => Checked<UISchema<string>>;

const maxDepth = 16;

export const pageSlots: readonly string[] = uiSchema.$defs.slot.enum;

export function createUISchemaCheck(): UISchemaCheck {
  const checkSchema = createSchemaCheck<UISchema<string>>(uiSchema);
  return (value, actions) => {
    const fault = jsonValueFault(value, maxDepth);
    if (fault !== null) return { ok: false, reason: fault };
    const checked = checkSchema(value);
    if (!checked.ok) return checked;
    if (runsSomewhere(checked.value)) return { ok: false, reason: runningAddress };
    return checkAction(checked.value, actions);
  };
}

/** Addresses that a browser executes or shows as a page. Image data is allowed. */
const running =
  /^[\s\p{Cc}]*(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:|^[\s\p{Cc}]*data\s*:\s*(?!image\/(?:png|jpeg|gif|webp|avif)[;,])/iu;
const runningAddress =
  'it holds an address that a browser executes (javascript:, or data: other than an image); right is https:';

/** Any string in the fields may be used as an address by a client, so none may be executable. */
function runsSomewhere(value: unknown): boolean {
  if (typeof value === 'string') return running.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(runsSomewhere);
}

/** The action that a button or a form calls; `null` = none. */
export function actionIn(piece: UISchema<string>): string | null {
  if (piece.type === 'action') return piece.rpcMethod;
  return piece.type === 'form' ? (piece.submit?.rpcMethod ?? null) : null;
}

/** A button may only call an action that the manifest lists. */
function checkAction(
  value: UISchema<string>,
  actions: readonly string[],
): Checked<UISchema<string>> {
  const called = actionIn(value);
  if (called === null || actions.includes(called)) return { ok: true, value };
  return {
    ok: false,
    reason: `rpcMethod ${quoted(called)} is not listed in the manifest's actions`,
  };
}
