/** The SQL of admins' decisions about plugins. */
import type { Permissions } from '../../../plugin-api/index.ts';
import type { Reach } from '../../call/reach.ts';
import type { Database, Queries, Transaction } from '../../store/index.ts';
import type { ConfigValues } from './form-values.ts';
import type { SealedValues } from './plugin-secrets.ts';
import type { PluginGrant } from '../powers/plugin-grant.ts';

/** An admin's decisions about one plugin. */
export interface PluginSettings {
  readonly isEnabled: boolean;
  /** `null` before a decision. */
  readonly grant: PluginGrant | null;
  /** The values that are not secrets. */
  readonly configuration: ConfigValues;
  readonly secrets: SealedValues;
}

/** Further writes in the transaction of a decision, so that both are stored or neither. */
export type Alongside = (trx: Transaction) => Promise<void>;

/** The same, told what the decision changes: when both are equal, it was so already. */
export type AlongsideChange = (
  trx: Transaction,
  change: { readonly before: unknown; readonly after: unknown },
) => Promise<void>;

/** Stores settings by plugin id. */
export type PluginStore = ReturnType<typeof createPluginStore>;

const table = 'plugin_settings';

export async function createSettingsTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('plugin_id').primary();
    columns.boolean('is_enabled').notNullable();
    columns.text('asked');
    columns.text('granted');
    columns.text('configuration').notNullable();
    columns.text('secrets');
    columns.text('reach');
  });
}

interface Row {
  readonly plugin_id: string;
  readonly is_enabled: boolean | number;
  readonly asked: string | null;
  readonly granted: string | null;
  readonly configuration: string;
  readonly secrets: string | null;
  /** Null = everything, as in grants from before reach existed. */
  readonly reach: string | null;
}

export function createPluginStore(database: Database) {
  return {
    list: async (): Promise<ReadonlyMap<string, PluginSettings>> => {
      const rows = await database.read<Row>(table).select();
      return new Map(rows.map((row) => [row.plugin_id, toSettings(row)]));
    },
    /**
     * Merges the decision into the stored settings, or into `before` when none are stored. Returns
     * the result.
     */
    change: (
      pluginId: string,
      before: PluginSettings,
      decision: Partial<PluginSettings>,
      alongside?: AlongsideChange,
    ): Promise<PluginSettings> =>
      database.write(async (trx) => {
        // Another server may have stored another decision meanwhile.
        const kept = await findSettings(trx, pluginId);
        const current = kept ?? before;
        const settings = { ...current, ...decision };
        await saveSettings(trx, pluginId, settings);
        // In the form in which they are stored, where no field is left out.
        const [was, is] = [current, settings].map((one) => toSettings(toRow(pluginId, one)));
        await alongside?.(trx, { before: was, after: is });
        return settings;
      }),
  };
}

/** Stores settings in a transaction of the caller. */
export async function saveSettings(
  trx: Transaction,
  pluginId: string,
  settings: PluginSettings,
): Promise<void> {
  await trx<Row>(table).insert(toRow(pluginId, settings)).onConflict('plugin_id').merge();
}

function toRow(pluginId: string, settings: PluginSettings): Row {
  const { isEnabled, grant, configuration, secrets } = settings;
  return {
    plugin_id: pluginId,
    is_enabled: isEnabled,
    asked: grant && JSON.stringify(grant.asked),
    granted: grant && JSON.stringify(grant.granted),
    configuration: JSON.stringify(configuration),
    secrets: JSON.stringify(secrets),
    reach: grant === null || grant.reach === 'all' ? null : JSON.stringify(grant.reach),
  };
}

export async function readReach(read: Queries, pluginId: string): Promise<string | null> {
  const row = await read<Row>(table).where({ plugin_id: pluginId }).first('reach');
  return row?.reach ?? null;
}

/** Sets the reach on stored settings. */
export async function writeReach(
  trx: Transaction,
  pluginId: string,
  reach: string | null,
): Promise<void> {
  await trx<Row>(table).where({ plugin_id: pluginId }).update({ reach });
}

export async function findSettings(
  read: Queries,
  pluginId: string,
): Promise<PluginSettings | null> {
  const row = await read<Row>(table).where({ plugin_id: pluginId }).first();
  return row ? toSettings(row) : null;
}

/** The columns hold only what `toRow` wrote. */
function toSettings(row: Row): PluginSettings {
  const { is_enabled, asked, granted, configuration, secrets, reach } = row;
  return {
    isEnabled: Boolean(is_enabled),
    grant:
      asked === null || granted === null
        ? null
        : {
            asked: JSON.parse(asked) as Permissions,
            granted: JSON.parse(granted) as Permissions,
            reach: reach === null ? 'all' : (JSON.parse(reach) as Reach),
          },
    configuration: JSON.parse(configuration) as ConfigValues,
    secrets: JSON.parse(secrets ?? '{}') as SealedValues,
  };
}
