import type { MigrationSet } from '../../kernel/index.ts';

/** What the database itself refuses, whoever asks: the log grows at its end and nowhere else. */
const triggers: readonly string[] = [
  `create trigger audit_entries_never_change before update on audit_entries
   begin select raise(abort, 'The audit log is append-only.'); end`,
  `create trigger audit_entries_never_go before delete on audit_entries
   begin select raise(abort, 'The audit log is append-only.'); end`,
  `create trigger audit_entries_never_fork before insert on audit_entries
   when not exists (
     select 1 from audit_head where seq = new.seq - 1 and hash = new.previous_hash
   )
   begin select raise(abort, 'An entry of the audit log follows the last one.'); end`,
  `create trigger audit_head_moves_on before update on audit_head
   when not exists (
     select 1 from audit_entries
     where seq = new.seq and hash = new.hash and previous_hash = old.hash
   )
   begin select raise(abort, 'The head of the audit log is its last entry.'); end`,
  `create trigger audit_head_never_goes before delete on audit_head
   begin select raise(abort, 'The audit log has a head.'); end`,
];

/** The tables of who did what. */
export const auditMigrations: MigrationSet = {
  name: 'audit',
  migrations: [
    {
      id: '0001-audit',
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
        for (const trigger of triggers) await trx.raw(trigger);
      },
    },
  ],
};
