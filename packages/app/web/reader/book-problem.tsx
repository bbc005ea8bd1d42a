import { t } from '../core/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { errorText } from '../ui/words.ts';
import { ReaderBar } from './reader-bar.tsx';
import type { ReaderProps } from './reader.ts';
import { BrokenBook } from './zip.ts';

/** A book that cannot be shown: why, and the way to have it all the same. */
export const BookProblem = ({
  error,
  item,
  file,
  leave,
}: Pick<ReaderProps, 'item' | 'file' | 'leave'> & { readonly error: unknown }) => (
  <>
    <ReaderBar title={item.title} leave={leave} />
    <div class="reader-problem">
      <div class="problem" role="alert">
        <Icon name="warning" />
        <p>{error instanceof BrokenBook ? t(`read.problem.${error.reason}`) : errorText(error)}</p>
      </div>
      <a class="button primary" href={`/api/files/${file.id}/stream`} download={file.filename}>
        <Icon name="download" />
        {t('action.download')}
      </a>
    </div>
  </>
);
