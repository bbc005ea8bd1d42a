import { definePlugin } from '../../plugin-api/index.ts';
import { createWebhooks } from './webhooks.ts';

const { admin, deliverDue, listDeliveries, stop, takeInAndDeliver } = createWebhooks({
  clock: Date.now,
  random: Math.random,
  warn: (text) => console.warn(text),
});

export default definePlugin({
  methods: {
    shutdown: stop,
    'eventLog.waiting': takeInAndDeliver,
    'schedule.wake': deliverDue,
    'webhooks.list': admin.list,
    'webhooks.create': admin.create,
    'webhooks.update': admin.update,
    'webhooks.remove': admin.remove,
    'webhooks.test': admin.test,
    'webhooks.deliveries': listDeliveries,
    'webhooks.redeliver': admin.redeliver,
  },
});
