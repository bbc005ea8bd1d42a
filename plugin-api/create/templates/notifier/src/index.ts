import { definePlugin } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';
import { createOutbox } from './outbox.ts';

export default definePlugin<Configuration>({
  events: {
    'job.failed': async ({ data, timestamp }, host) => {
      const text = `The job ${data.type} failed: ${data.errorMessage ?? 'it does not say why'}`;
      await createOutbox(host).put({ id: `job/${data.jobId}/${timestamp}`, text });
    },

    'plugin.error': async ({ data, timestamp }, host) => {
      const text = `The plugin ${data.pluginId} failed: ${data.errorMessage ?? 'it does not say why'}`;
      await createOutbox(host).put({ id: `plugin/${data.pluginId}/${timestamp}`, text });
    },
  },

  methods: {
    /** Scheduled when messages wait to be sent. */
    'schedule.wake': (_, host) => createOutbox(host).send(),
  },
});
