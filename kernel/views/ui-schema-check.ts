import { uiSchema } from '../../manifests-schema/index.ts';
import type { UISchema } from '../../plugin-api/index.ts';
import { quoted } from '../foreign-text.ts';
import { jsonValueFault } from '../json-limits.ts';
import { createSchemaCheck, type Checked } from '../schema-check.ts';

/** Checks one piece of user interface against the closed schema and the plugin's own actions. */
export type UISchemaCheck = (value: unknown, actions: readonly string[]) => Checked<UISchema>;

const maxDepth = 16;

/** Creates the check. */
export function createUISchemaCheck(): UISchemaCheck {
  const checkSchema = createSchemaCheck<UISchema>(uiSchema);
  return (value, actions) => {
    const fault = jsonValueFault(value, maxDepth);
    if (fault !== null) return { ok: false, reason: fault };
    const checked = checkSchema(value);
    return checked.ok ? checkAction(checked.value, actions) : checked;
  };
}

/** A button may call nothing that the manifest does not list. */
function checkAction(value: UISchema, actions: readonly string[]): Checked<UISchema> {
  if (value.type !== 'action' || actions.includes(value.rpcMethod)) return { ok: true, value };
  const reason = `rpcMethod ${quoted(value.rpcMethod)} is not listed in the manifest's actions`;
  return { ok: false, reason };
}
