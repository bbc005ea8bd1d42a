/** Things with a name and libraries, as groups and profiles are: a list of them, and a window for each. */
import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import type { Loaded } from '../../../core/resource.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { confirm, Dialog } from '../../../ui/dialog.tsx';
import { textOf } from '../../../ui/form-text.ts';
import { SendForm } from '../../../ui/send-form.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { accessOf, LibraryAccessFields, type AccessLimit } from './library-access.tsx';

type Libraries = readonly Resources['Library'][];

interface Changes {
  readonly name: string;
  readonly libraryAccess: Resources['LibraryAccess'][] | null;
}

interface Kind<One> {
  readonly words: { readonly add: string; readonly name: string; readonly hint: string };
  /** Whether one of them may see everything. */
  readonly mayBeAll: boolean;
  /** Saves one; `null` = a new one. */
  readonly save: (one: One | null, changes: Changes, form: HTMLFormElement) => Promise<unknown>;
  /** The question before one is deleted, and what is said after; `null` where it cannot be deleted. */
  readonly deletion: (one: One) => Record<'title' | 'text' | 'action' | 'done', string> | null;
  readonly remove: (one: One) => Promise<unknown>;
  /** Further fields in the window of one. */
  readonly more?: (one: One) => ComponentChildren;
}

interface AccessListProps<One> extends Kind<One> {
  readonly of: ReadonlySignal<
    Loaded<{ readonly all: readonly One[]; readonly libraries: Libraries }>
  >;
  /** What a line shows. */
  readonly line: (one: One) => ComponentChildren;
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly libraryAccess: AccessLimit;
}

/** The list, with a button to change each, and one to make another. */
export function AccessList<One extends Named>({ of, line, ...kind }: AccessListProps<One>) {
  const open = useSignal<One | 'new' | null>(null);
  return (
    <>
      <Ready of={of}>
        {({ all, libraries }) => (
          <>
            <ul class="lines">
              {all.map((one) => (
                <li key={one.id}>
                  {line(one)}
                  <IconButton
                    icon="edit"
                    label={t('action.changeName', { name: one.name })}
                    act={() => (open.value = one)}
                  />
                </li>
              ))}
            </ul>
            {open.value !== null && (
              <Sheet
                {...{ kind, libraries }}
                one={open.value === 'new' ? null : open.value}
                close={() => (open.value = null)}
              />
            )}
          </>
        )}
      </Ready>
      <p class="buttons">
        <Button icon="plus" act={() => (open.value = 'new')}>
          {kind.words.add}
        </Button>
      </p>
    </>
  );
}

function Sheet<One extends Named>({
  one,
  kind: { words, mayBeAll, save, deletion, remove, more },
  libraries,
  close,
}: {
  readonly one: One | null;
  readonly kind: Kind<One>;
  readonly libraries: Libraries;
  readonly close: () => void;
}) {
  const access = one ? one.libraryAccess : mayBeAll ? null : [];
  const all = useSignal(access === null);
  const question = one && deletion(one);
  async function send(form: HTMLFormElement): Promise<void> {
    const libraryAccess = all.value ? null : accessOf(form, { access, libraries });
    const changes = { name: textOf(form, 'name'), libraryAccess };
    if (await attempt(() => save(one, changes, form), t('people.saved'))) close();
  }
  async function ask(): Promise<void> {
    if (one === null || question === null || !(await confirm(question))) return;
    if (await attempt(() => remove(one), question.done)) close();
  }
  return (
    <Dialog title={one?.name ?? words.add} onClose={close}>
      <SendForm
        send={send}
        action={t('action.save')}
        beside={
          question && (
            <Button kind="danger" act={ask}>
              {question.action}
            </Button>
          )
        }
      >
        <label>
          {words.name}
          <input
            name="name"
            required
            maxLength={100}
            autocomplete="off"
            defaultValue={one?.name ?? ''}
          />
        </label>
        <LibraryAccessFields
          legend={t('nav.libraries')}
          hint={words.hint}
          access={access}
          libraries={libraries}
          all={mayBeAll ? all : undefined}
        />
        {one && more?.(one)}
      </SendForm>
    </Dialog>
  );
}
