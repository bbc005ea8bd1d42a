import type { Audit, AuditVerdict } from '../../../platform/audit/index.ts';
import type { Routes } from '../../http-app.ts';
import {
  AuditQuery,
  AuditReply,
  VerifyBody,
  VerifyReply,
} from '../../../contract/resources/operations/audit.ts';

/** What the routes of the audit log need. */
export interface AuditRouteParts {
  readonly audit: Pick<Audit, 'list'>;
  /** Reads the whole chain. */
  readonly verifyAudit: (noted: string | null) => Promise<AuditVerdict>;
}

/** The audit log: who did what, when and from where. */
export const auditRoutes: Routes<AuditRouteParts> = async (app, { audit, verifyAudit }) => {
  app.get(
    '/api/audit',
    {
      config: { access: 'admin', holdsNoSecret: true },
      schema: {
        operationId: 'listAuditEntries',
        summary: 'List the audit log, newest first',
        tags: ['operations'],
        querystring: AuditQuery,
        response: { 200: AuditReply },
      },
    },
    async (request) => audit.list(request.query),
  );

  app.post(
    '/api/audit/verify',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'checkAuditLog',
        summary: 'Verify the chain of the audit log, and that it holds a noted entry',
        tags: ['operations'],
        body: VerifyBody,
        response: { 200: VerifyReply },
      },
    },
    async (request) => shown(await verifyAudit(request.body?.noted ?? null)),
  );
};

const shown = (verdict: AuditVerdict) =>
  verdict.ok
    ? {
        ...{ isIntact: true, count: verdict.count, restores: verdict.restores },
        ...{ brokenAt: null, fault: null },
      }
    : {
        ...{ isIntact: false, count: null, restores: null },
        ...{ brokenAt: verdict.seq, fault: verdict.fault },
      };
