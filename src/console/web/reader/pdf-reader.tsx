import { t } from '../core/messages.ts';
import { Icon } from '../ui/icon.tsx';
import type { ReaderProps } from './reader.ts';
import { ReaderBar } from './reader-bar.tsx';

/** A PDF is shown by the browser, in a tab of its own: the policy of the app keeps it out of this page. */
export default function PdfReader({ item, file, leave }: ReaderProps) {
  const url = `/api/files/${file.id}/stream`;
  return (
    <div class="reader">
      <ReaderBar title={item.title} leave={leave} />
      <div class="reader-problem">
        <p>{t('read.pdf')}</p>
        <a class="button primary" href={url} target="_blank" rel="noopener">
          <Icon name="external" />
          {t('read.openPdf')}
        </a>
        <a class="button" href={url} download={file.filename}>
          <Icon name="download" />
          {t('action.download')}
        </a>
      </div>
    </div>
  );
}
