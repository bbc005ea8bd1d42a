/** What waits for an admin, of all that the server says. */
import type { Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';

type Problem = Resources['Problem'];

/** One thing to do, and the one way to do it. */
export interface ToDo {
  readonly text: string;
  /** What would help, if the server says it. */
  readonly hint?: string;
  readonly href: string;
  /** The words of that way. */
  readonly action: string;
}

/** What the overview reads. */
export interface Waiting {
  readonly problems: readonly Problem[];
  /** Plugins that do not run until an admin allows what they ask. */
  readonly unallowed: readonly Named[];
  readonly failed: readonly Named[];
  /** Built-in catalogues of the internet; they ask together. */
  readonly catalogues: readonly { readonly id: string; readonly granted: boolean }[];
  readonly hasLibrary: boolean;
  readonly hasMatches: boolean;
  readonly update: { readonly version: string; readonly href: string } | null;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const bySeverity: readonly Problem['severity'][] = ['critical', 'error', 'warning'];

/** What waits for a person: the most urgent first, and nothing twice. */
export function toDosOf(waiting: Waiting): readonly ToDo[] {
  const { catalogues, hasLibrary, hasMatches, update } = waiting;
  const isCatalogue = (id: string): boolean => catalogues.some((one) => one.id === id);
  const problems = bySeverity.map((severity) =>
    waiting.problems
      .filter((one) => one.severity === severity)
      .filter(({ code, subject }) => code !== 'permissions_pending' || !isCatalogue(subject.id))
      .map(toDoOf),
  );
  const [critical = [], errors = [], warnings = []] = problems;
  const all = [
    ...critical,
    ...errors,
    ...waiting.failed.map(({ id, name }) => ({
      text: t('admin.todo.failed', { plugin: name }),
      ...placeOf('plugin', id),
    })),
    ...(hasLibrary
      ? []
      : [{ text: t('home.noLibrary'), href: '/admin/libraries', action: t('admin.act.add') }]),
    ...waiting.unallowed
      .filter(({ id }) => !isCatalogue(id))
      .map(({ id, name }) => ({
        text: t('admin.todo.consent', { plugin: name }),
        href: `/admin/plugins/${id}`,
        action: t('admin.act.consent'),
      })),
    ...warnings,
    ...(update === null
      ? []
      : [
          {
            text: t('admin.todo.update', { version: update.version }),
            href: update.href,
            action: t('admin.act.update'),
          },
        ]),
    ...(hasMatches
      ? [{ text: t('admin.todo.matches'), href: '/admin/matches', action: t('admin.act.matches') }]
      : []),
    ...(catalogues.some(({ granted }) => granted)
      ? []
      : [
          {
            text: t('admin.todo.internet'),
            href: '/admin/plugins',
            action: t('admin.act.internet'),
          },
        ]),
  ];
  const isOwn = ({ href }: ToDo): boolean => /^\/admin\/(libraries|plugins)\/./.test(href);
  return all.filter(
    (one, at) => !isOwn(one) || all.findIndex(({ href }) => href === one.href) === at,
  );
}

const toDoOf = ({ code, subject, message, action }: Problem): ToDo => ({
  text: message,
  hint: action,
  ...placeOf(code.startsWith('backup_') ? 'backup' : subject.type, subject.id),
});

/** Where something is put right. */
function placeOf(type: string, id: string): Pick<ToDo, 'href' | 'action'> {
  switch (type) {
    case 'library':
      return { href: `/admin/libraries/${id}`, action: t('admin.act.library') };
    case 'plugin':
      return { href: `/admin/plugins/${id}`, action: t('admin.act.plugin') };
    case 'backup':
      return { href: '/admin/backups', action: t('admin.act.backups') };
    default:
      return { href: '/admin/doctor', action: t('admin.act.doctor') };
  }
}
