import type { Audit, AuditVerdict } from '../../../platform/audit/index.ts';
import * as schema from '../../../contract/resources/operations/audit.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'operations', access: 'admin' } as const;

/** What the routes of the audit log need. */
export interface AuditRouteParts {
  readonly audit: Pick<Audit, 'list'>;
  /** Reads the whole chain. */
  readonly verifyAudit: (noted: string | null) => Promise<AuditVerdict>;
}

/** The audit log: who did what, when and from where. */
export const auditRoutes = routes<AuditRouteParts>(shared, (route, { audit, verifyAudit }) => {
  route('GET /api/audit', {
    holdsNoSecret: true,
    operation: 'listAuditEntries',
    summary: 'List the audit log, newest first',
    query: schema.AuditQuery,
    reply: schema.AuditReply,
    handler: ({ query }) => audit.list(query),
  });

  route('POST /api/audit/verify', {
    operation: 'checkAuditLog',
    summary: 'Verify the chain of the audit log, and that it holds a noted entry',
    body: schema.VerifyBody,
    reply: schema.VerifyReply,
    handler: async ({ body }) => shown(await verifyAudit(body?.noted ?? null)),
  });
});

const shown = (verdict: AuditVerdict) => ({
  isIntact: verdict.ok,
  count: verdict.ok ? verdict.count : null,
  restores: verdict.ok ? verdict.restores : null,
  brokenAt: verdict.ok ? null : verdict.seq,
  fault: verdict.ok ? null : verdict.fault,
});
