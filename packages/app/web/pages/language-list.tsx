import { locale, t } from '../core/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { languageOf } from '../ui/words.ts';
import { moved, OrderedList } from '../ui/ordered-list.tsx';

/** Languages that films and music are often in; the list of the person may have others. */
const common =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id is it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv ta te th tr uk ur vi zh'.split(
    ' ',
  );
/** As many as the preferences of a person take. */
const mostLanguages = 20;

interface LanguageListProps {
  readonly label: string;
  readonly tags: readonly string[];
  /** The most that may be chosen; 20 when absent. */
  readonly most?: number;
  readonly save: (tags: readonly string[]) => void;
}

/** Languages in the order of preference. */
export function LanguageList({ label, tags, most = mostLanguages, save }: LanguageListProps) {
  const others = common
    .filter((tag) => !tags.includes(tag))
    .map((tag) => [tag, languageOf(tag)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, locale.value));
  return (
    <fieldset class="languages">
      <legend>{label}</legend>
      {tags.length > 0 && (
        <OrderedList
          label={label}
          onMove={(from, to) => save(moved(tags, from, to))}
          lines={tags.map((tag) => ({
            key: tag,
            name: languageOf(tag),
            content: languageOf(tag),
            buttons: (
              <IconButton
                icon="close"
                label={t('action.removeName', { name: languageOf(tag) })}
                act={() => save(tags.filter((one) => one !== tag))}
              />
            ),
          }))}
        />
      )}
      {tags.length < most && (
        <select
          aria-label={`${label}: ${t('me.addLanguage')}`}
          value=""
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            currentTarget.value = '';
            if (value !== '') save([...tags, value]);
          }}
        >
          <option value="">{t('me.addLanguage')}</option>
          {others.map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}
