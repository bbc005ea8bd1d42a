import { t } from '../../../core/messages.ts';
import { say } from '../../../ui/toast.tsx';

const mostBytes = 5 * 1024 * 1024;

/** The field with which an admin uploads a picture. A file that is too large is refused at once. */
export const UploadField = ({ upload }: { readonly upload: (file: File) => void }) => (
  <form class="form">
    <label>
      {t('pictures.upload')}
      <input
        type="file"
        accept="image/jpeg,image/png,image/gif,image/webp,image/avif"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined && file.size > mostBytes) say(t('pictures.tooLarge'));
          else if (file !== undefined) upload(file);
        }}
      />
      <small>{t('pictures.uploadHint')}</small>
    </label>
  </form>
);
