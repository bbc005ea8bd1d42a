import { expect, test } from 'vitest';
import type { AuditEntry } from '../../platform/audit/index.ts';
import {
  endPluginNotices,
  pluginNotice,
  pluginNoticeEnds,
  type PluginNoticeKind,
} from './plugin-notice.ts';

const kinds = Object.keys(pluginNoticeEnds) as PluginNoticeKind[];
const text = { english: 'It happened.', german: 'Es geschah.' };

/** What an act on the plugin ends. */
function endedBy(act: string, id = 'greeter'): readonly string[] {
  const ended: string[] = [];
  endPluginNotices(
    { end: (about) => void ended.push(about) },
    {
      onRecorded: (listener) => {
        const entry = { actor: 'server', action: act, target: { type: 'plugin', id }, details: {} };
        listener(entry as AuditEntry);
        return () => undefined;
      },
    },
  );
  return ended;
}

test.each(kinds)(
  'a notice of the kind %s ends with each act that ends it, and no other',
  (kind) => {
    const { about } = pluginNotice(kind, 'greeter', { level: 'info', title: text });
    const acts = new Set(Object.values(pluginNoticeEnds).flat());
    const ends = [...acts].filter((act) => endedBy(`plugin.${act}`).includes(about ?? ''));

    expect(ends.sort()).toEqual([...pluginNoticeEnds[kind]].sort());
    expect(ends).not.toEqual([]);
    for (const act of acts) expect(endedBy(`plugin.${act}`, 'other')).not.toContain(about);
    expect(endedBy('user.uninstalled')).toEqual([]);
  },
);
