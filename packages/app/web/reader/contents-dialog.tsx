import { t } from '../core/messages.ts';
import { Dialog } from '../ui/dialog.tsx';

/** The contents of a book. */
export const ContentsDialog = ({
  lines,
  choose,
  close,
}: {
  readonly lines: readonly { readonly title: string; readonly depth: number }[];
  readonly choose: (line: number) => void;
  readonly close: () => void;
}) => (
  <Dialog title={t('read.contents')} onClose={close}>
    <ul class="reader-contents">
      {lines.map(({ title, depth }, at) => (
        <li key={at} style={{ paddingInlineStart: `${Math.min(depth, 5)}em` }}>
          <button type="button" onClick={() => choose(at)}>
            <bdi>{title}</bdi>
          </button>
        </li>
      ))}
    </ul>
  </Dialog>
);
