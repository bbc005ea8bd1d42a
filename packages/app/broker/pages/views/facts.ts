import { el, type Child } from '../../../../lib/page-kit/index.ts';

/** A list of names and values. */
export const facts = (...rows: readonly (readonly [name: string, value: Child] | false)[]) =>
  el(
    'dl',
    { class: 'facts' },
    rows.flatMap((row) => (row === false ? [] : [el('dt', {}, row[0]), el('dd', {}, row[1])])),
  );
