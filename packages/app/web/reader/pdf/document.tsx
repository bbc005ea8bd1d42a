/**
 * The document of the PDF reader. It is one of its own since only its policy lets it hold the frame
 * that runs PDF.js; nothing else of the app is in it.
 */
import { render } from 'preact';
import { setAppWords } from '../../core/app-words.ts';
import { loadFurther } from '../../core/further.ts';
import { chooseLanguage } from '../../core/messages.ts';
import { isOnline } from '../../core/live.ts';
import { hasDownloads, isLocked, startSession } from '../../core/session.ts';
import { leaveWithOthers } from '../../core/still-me.ts';
import { untilAnswer } from '../../core/until-answer.ts';
import { PageProblem } from '../../ui/states.tsx';
import { openFile, readBook } from '../open-book.ts';
import { readableFile, readerOf } from '../reader.ts';
import { PdfReader } from './pdf-reader.tsx';

const id = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
const ownPage = `/items/${encodeURIComponent(id)}`;

const leave = (): void => {
  if (history.length > 1) history.back();
  else location.replace(ownPage);
};

/** Whether somebody is in. Without the server it is who was in last, if anything is kept here. */
const whoIsIn = (): Promise<boolean> =>
  startSession().catch(async (error: unknown) => {
    if (!hasDownloads()) throw error;
    const { openDevice } = await import('../../downloads/open-device.ts');
    if (!(await openDevice(error))) throw error;
    void comeBack().catch(() => {});
    return true;
  });

/** The server answers again: it is told what was read. */
async function comeBack(): Promise<void> {
  await untilAnswer();
  if (!(await startSession())) return;
  isOnline.value = true;
  await (await import('../../downloads/places.ts')).tellPlaces();
}

async function start(): Promise<void> {
  setAppWords();
  try {
    const [isIn] = await Promise.all([whoIsIn(), loadFurther()]);
    if (!isIn) {
      location.replace(`/sign-in?to=${encodeURIComponent(location.pathname)}`);
      return;
    }
    leaveWithOthers();
    // The app asks for the PIN, and then comes back.
    if (isLocked.value) {
      location.replace(`/read/${encodeURIComponent(id)}`);
      return;
    }
    const { item } = await readBook(id);
    const file = readableFile(item.files);
    if (file === undefined || readerOf(file.filename) !== 'pdf') {
      location.replace(ownPage);
      return;
    }
    const opened = await openFile(item, file);
    document.title = `${item.title} · Vitrine`;
    render(
      <main id="content">
        <PdfReader {...{ item, file, leave, ...opened }} isAway={!isOnline.peek()} />
      </main>,
      document.body,
    );
  } catch (error) {
    await chooseLanguage(navigator.languages);
    render(
      <main class="centered">
        <PageProblem error={error} retry={() => location.reload()} />
      </main>,
      document.body,
    );
  }
}

void start();
