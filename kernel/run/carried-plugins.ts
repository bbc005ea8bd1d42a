/**
 * What a restore keeps of the replaced database: a plugin that an admin disabled or limited since the
 * backup stays so.
 */
import { carriedTable, type CarriedRow, type CarryOver } from '../store/index.ts';

/** Includes what identifies a revoked package when it is installed again. */
export const carriedPlugins: readonly CarryOver[] = [
  carriedTable({
    label: 'Plugins that stay disabled, or may do less',
    table: 'plugin_settings',
    key: ['plugin_id'],
    gone: { is_enabled: 0 },
    kept: (own, replaced) => ({
      is_enabled: Math.min(Number(own['is_enabled']), Number(replaced['is_enabled'])),
      granted: heldBack(own, replaced),
      reach: replaced['reach'] ?? own['reach'],
    }),
  }),
  carriedTable({
    label: 'Plugins that no longer act for a profile',
    table: 'plugin_profile_agreements',
    key: ['plugin_id', 'profile'],
    nameOf: ({ plugin_id: pluginId }) => String(pluginId),
    gone: 'removed',
    kept: (_own, { level }) => (level === 'read' ? { level } : {}),
  }),
  carriedTable({
    label: 'Parts of the server with the provider of just before',
    table: 'plugin_providers',
    key: ['key'],
    gone: 'removed',
    kept: (_own, { plugin_id: pluginId }) => ({ plugin_id: pluginId }),
  }),
  carriedTable({
    label: 'Plugins whose package stays revoked',
    table: 'plugin_packages',
    key: ['plugin_id'],
    kept: (own, replaced) =>
      own['sha256'] === replaced['sha256'] && replaced['revoked'] !== null
        ? { revoked: replaced['revoked'] }
        : {},
  }),
];

/** The backup's grant without powers that were asked for but not granted in the replaced database. */
function heldBack(own: CarriedRow, replaced: CarriedRow): unknown {
  const [mine, asked, granted] = [own['granted'], replaced['asked'], replaced['granted']].map(
    objectIn,
  );
  if (!mine || !asked || !granted) return own['granted'];
  const left = Object.entries(mine).flatMap(([power, value]) => {
    if (!(power in asked)) return [[power, value]];
    return power in granted ? [[power, narrowed(value, asked[power], granted[power])]] : [];
  });
  const text = JSON.stringify(Object.fromEntries(left));
  return text === JSON.stringify(mine) ? own['granted'] : text;
}

function narrowed(mine: unknown, asked: unknown, granted: unknown): unknown {
  if (Array.isArray(mine) && Array.isArray(asked) && Array.isArray(granted))
    return mine.filter((one) => !asked.includes(one) || granted.includes(one));
  return JSON.stringify(asked) === JSON.stringify(granted) ? mine : granted;
}

/** The object in the column; the column holds what the store wrote, or `null`. */
const objectIn = (text: unknown): Readonly<Record<string, unknown>> | null =>
  typeof text === 'string' ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : null;
