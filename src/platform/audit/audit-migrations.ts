import { createTrigger, type MigrationSet, type Trigger } from '../../../kernel/store/index.ts';

/** Triggers that make the log append-only, also for direct SQL. */
const triggers: readonly Trigger[] = [
  {
    name: 'audit_entries_never_change',
    on: 'before update',
    table: 'audit_entries',
    does: { refuse: 'The audit log is append-only.' },
  },
  {
    name: 'audit_entries_never_go',
    on: 'before delete',
    table: 'audit_entries',
    does: { refuse: 'The audit log is append-only.' },
  },
  {
    name: 'audit_entries_never_fork',
    on: 'before insert',
    table: 'audit_entries',
    when: `not exists (
      select 1 from audit_head where seq = new.seq - 1 and hash = new.previous_hash
    )`,
    does: { refuse: 'An entry of the audit log follows the last one.' },
  },
  {
    name: 'audit_head_moves_on',
    on: 'before update',
    table: 'audit_head',
    when: `not exists (
      select 1 from audit_entries
      where seq = new.seq and hash = new.hash and previous_hash = old.hash
    )`,
    does: { refuse: 'The head of the audit log is its last entry.' },
  },
  {
    name: 'audit_head_never_goes',
    on: 'before delete',
    table: 'audit_head',
    does: { refuse: 'The audit log has a head.' },
  },
];

/** The tables of the audit log. */
export const auditMigrations: MigrationSet = {
  name: 'audit',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('audit_entries', (table) => {
          table.integer('seq').primary();
          table.text('at').notNullable();
          table.text('user_id').notNullable();
          table.text('credential_id').notNullable();
          table.text('credential_kind').notNullable();
          table.text('action').notNullable();
          table.text('target_type');
          table.text('target_id');
          table.text('details').notNullable();
          table.text('address');
          table.text('request_id');
          table.text('previous_hash').notNullable();
          table.text('hash').notNullable();
          table.index(['action', 'seq'], 'audit_by_action');
          table.index(['user_id', 'seq'], 'audit_by_user');
          table.index(['target_id', 'seq'], 'audit_by_target');
          table.index(['at'], 'audit_by_time');
        });
        await trx.schema.createTable('audit_head', (table) => {
          table.integer('no').primary();
          table.integer('seq').notNullable();
          table.text('hash').notNullable();
        });
        await trx('audit_head').insert({ no: 1, seq: 0, hash: '0'.repeat(64) });
        for (const trigger of triggers) await createTrigger(trx, trigger);
        await trx.schema.createTable('audit_repeats', (table) => {
          table.text('user_id').notNullable();
          table.text('action').notNullable();
          table.text('target_type').notNullable();
          table.text('counted_as').notNullable();
          table.bigInteger('begun_at').notNullable();
          table.integer('count').notNullable();
          table.text('acts').notNullable();
          table.primary(['user_id', 'action', 'target_type', 'counted_as']);
          table.index(['begun_at'], 'audit_repeats_by_beginning');
        });
      },
    },
  ],
};
