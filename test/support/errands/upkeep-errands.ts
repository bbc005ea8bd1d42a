import type { Errand, Thing } from './errand.ts';

/** Jobs, backups, the look through the database, the audit log, scheduled work, news for people. */
export const upkeepErrands = (libraryId: string): readonly Errand[] => [
  {
    name: 'jobs',
    run: async ({ ask, settle }) => {
      for (const type of ['scan', 'refresh', 'rescan'])
        await ask('POST', '/api/jobs', { body: { type, libraryId, priority: 3 }, may: [400, 409] });
      const { jobs } = await ask<{ jobs: readonly Thing[] }>(
        'GET',
        '/api/jobs?status=pending,running&limit=3',
      );
      for (const { id } of jobs.slice(0, 1))
        await ask('POST', `/api/jobs/${id}/cancel`, { may: [404, 409] });
      await settle();
      const over = await ask<{ jobs: readonly Thing[] }>(
        'GET',
        `/api/jobs?libraryId=${libraryId}&status=cancelled,completed,failed`,
      );
      for (const { id } of over.jobs.slice(0, 1)) {
        await ask('GET', `/api/jobs/${id}`);
        await ask('POST', `/api/jobs/${id}/retry`, { may: [409] });
      }
      await ask('DELETE', '/api/jobs?status=completed,cancelled');
      await settle();
    },
  },
  {
    name: 'backups',
    run: async ({ ask, no }) => {
      const { backup } = await ask<{ backup: { filename: string } }>('POST', '/api/backups', {
        body: { label: `errand ${no}`, keys: true },
        may: [409],
      });
      await ask('GET', '/api/backups');
      await ask('GET', `/api/backups/${backup.filename}`);
      await ask('DELETE', `/api/backups/${backup.filename}`);
    },
  },
  {
    name: 'looking after it',
    run: async ({ ask }) => {
      await ask('GET', '/api/database');
      await ask('GET', '/api/doctor');
      await ask('GET', '/api/settings');
      await ask('GET', '/api/servers');
      await ask('POST', '/api/database/check', { may: [409] });
      const day = new Date(0).toISOString();
      for (const query of ['', '?action=user.*&limit=2', '?actor=server', `?from=${day}&limit=3`])
        await ask('GET', `/api/audit${query}`, { may: [400] });
      await ask('GET', '/api/stats');
      // A request for the state gets no error, but the state.
      await ask('GET', '/api/health', { may: [503] });
      await ask('GET', '/metrics');
      const { tasks } = await ask<{ tasks: readonly { name: string }[] }>('GET', '/api/scheduler');
      for (const { name } of tasks)
        await ask('POST', `/api/scheduler/${encodeURIComponent(name)}/run`, { may: [409] });
      await ask('PUT', '/api/updates', { body: { channel: 'beta', suppressed: false } });
      await ask('PUT', '/api/updates', { body: { channel: 'stable' } });
      await ask('POST', '/api/updates/check');
      await ask('GET', '/api/updates');
    },
  },
  {
    name: 'notifications and events',
    run: async ({ ask, listen }) => {
      const { notifications } = await ask<{ notifications: readonly Thing[] }>(
        'GET',
        '/api/notifications?limit=5',
      );
      await ask('GET', '/api/notifications?unread=true');
      for (const { id } of notifications.slice(0, 2))
        await ask('POST', `/api/notifications/${id}/read`, { may: [404] });
      for (const { id } of notifications.slice(0, 1))
        await ask('DELETE', `/api/notifications/${id}`, { may: [404] });
      await listen('/api/events', {});
      await listen('/api/events?types=library.*', { 'last-event-id': '1' });
    },
  },
];
