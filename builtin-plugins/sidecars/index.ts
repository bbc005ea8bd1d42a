import { definePlugin } from '../../plugin-api/index.ts';
import { afterProbe } from './after-probe.ts';

export default definePlugin({
  hooks: { 'pipeline.probe.afterProcess': afterProbe },
});
