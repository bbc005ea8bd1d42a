import type { Audit } from '../../../platform/audit/index.ts';
import type { Routes } from '../../http-app.ts';
import { AuditQuery, AuditReply } from './audit.schema.ts';

/** The audit log: who did what, when and from where. */
export const auditRoutes: Routes<{ readonly audit: Pick<Audit, 'list'> }> = async (
  app,
  { audit },
) => {
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
};
