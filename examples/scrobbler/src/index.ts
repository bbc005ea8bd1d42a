import { definePlugin } from '@vitrine/plugin-api';
import { flush } from './flush.ts';
import { takeIn } from './take-in.ts';

export default definePlugin({
  methods: {
    // The server calls it after each start, and when something was heard.
    'eventLog.waiting': async (_, host) => {
      await takeIn(host);
      await flush(host);
    },
    'schedule.wake': (_, host) => flush(host),
  },
});
