import { definePlugin } from '../../plugin-api/index.ts';
import { judge } from './judge.ts';

export default definePlugin({
  methods: {
    'license.activate': judge,
    'license.status': judge,
    'license.deactivate': () => null,
  },
});
