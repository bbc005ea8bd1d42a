import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../core/messages.ts';
import { ControlButton } from '../../player/video/controls.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { BookProblem } from '../book-problem.tsx';
import { ContentsDialog } from '../contents-dialog.tsx';
import type { ReaderProps } from '../reader.ts';
import { choose, nextTheme, settings } from '../settings.ts';
import { PagesBar, PagesFoot, usePages } from '../use-pages.tsx';
import { BrokenBook } from '../zip.ts';
import { BookPassword } from './book-password.tsx';
import { linkFrame, type FrameLink, type Told } from './frame-link.ts';

type Opened = Extract<Told, { readonly type: 'opened' }>;

/**
 * A PDF. PDF.js runs in a frame of an opaque origin that has no network, and draws there; this page
 * turns the pages and keeps the place.
 */
export function PdfReader({ isAway, ...props }: ReaderProps & { readonly isAway: boolean }) {
  const { item, source } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const linked = useRef<FrameLink | null>(null);
  const link = useSignal<FrameLink | null>(null);
  const opened = useSignal<Opened | null>(null);
  const locked = useSignal<{ readonly isWrong: boolean } | null>(null);
  const problem = useSignal<unknown>(undefined);
  const hear = useRef<(told: Told) => void>(() => {});
  const start = (): void => {
    const inner = frame.current?.contentWindow;
    if (inner == null) return;
    // The frame is loaded once: what it loads after that is not what was opened.
    if (linked.current !== null) {
      linked.current.close();
      problem.value = new BrokenBook('damaged');
      return;
    }
    linked.current = linkFrame(inner, {
      source,
      linkWord: t('read.link'),
      hear: (told) => {
        if (told.type === 'locked') locked.value = told;
        else if (told.type !== 'opened') hear.current(told);
        else if (opened.peek() === null) opened.value = told;
      },
      fail: (error) => (problem.value = error),
    });
    link.value = linked.current;
  };
  useEffect(() => () => linked.current?.close(), []);
  return (
    <div class={`reader paper-${settings.value.theme}`}>
      {problem.value !== undefined ? (
        <BookProblem error={problem.value} {...props} />
      ) : (
        <Pages {...props} link={link.value} opened={opened.value} hear={hear}>
          <iframe
            ref={frame}
            // A service worker gives nothing to a frame with this attribute. Without the server the
            // policy of the document in it, which it has from the service worker, says the same.
            sandbox={isAway ? undefined : 'allow-scripts'}
            src="/web/pdf-frame.html"
            title={item.title}
            onLoad={start}
          />
        </Pages>
      )}
      {locked.value !== null && problem.value === undefined && (
        <BookPassword
          isWrong={locked.value.isWrong}
          open={(text) => {
            locked.value = null;
            link.peek()?.send({ type: 'password', text });
          }}
          leave={props.leave}
        />
      )}
    </div>
  );
}

interface PagesProps extends ReaderProps {
  readonly link: FrameLink | null;
  /** `null` until the file is open. */
  readonly opened: Opened | null;
  readonly hear: { current: (told: Told) => void };
  readonly children: ComponentChildren;
}

function Pages({ link, opened, hear, children, ...props }: PagesProps) {
  const { item, leave } = props;
  const turned = usePages({
    ...props,
    pages: opened?.pages ?? 0,
    startsRightToLeft: opened?.isRightToLeft ?? false,
  });
  const { spread, hands, isRightToLeft } = turned;
  const drawn = useSignal<ReadonlyMap<number, 'shown' | 'broken'>>(new Map());
  const outside = useSignal<URL | null>(null);
  const hasContents = useSignal(false);
  const { fit, theme } = settings.value;
  hear.current = (told) => {
    switch (told.type) {
      case 'drawn':
        drawn.value = new Map([...drawn.peek(), [told.page, told.isBroken ? 'broken' : 'shown']]);
        break;
      case 'go':
        turned.goTo(told.page - 1);
        break;
      case 'out':
        outside.value = new URL(told.url);
        break;
      case 'key':
        hands.press(told.key);
        break;
      case 'swipe':
        hands.side(told.isRight);
        break;
      case 'opened':
      case 'locked':
    }
  };
  const pages = spread.map((page) => page + 1);
  useEffect(() => {
    if (opened === null) return;
    drawn.value = new Map();
    link?.send({ type: 'show', pages, fit, theme, isRightToLeft: isRightToLeft.value });
  }, [opened, link, pages.join(), fit, theme, isRightToLeft.value]);
  // The frame scrolls by itself when it has the focus; until then its page is moved from here.
  useEffect(() => {
    const hear = ({ key, target }: KeyboardEvent): void => {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
      const inside = target instanceof Element ? target.closest('dialog, input') : null;
      if (inside === null) link?.send({ type: 'scroll', isDown: key === 'ArrowDown' });
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, [link]);
  const states = pages.map((page) => drawn.value.get(page));
  const lines = opened?.contents ?? [];
  return (
    <>
      <PagesBar title={item.title} {...{ leave, isRightToLeft }}>
        {lines.length > 0 && (
          <ControlButton
            icon="chapters"
            label={t('read.contents')}
            press={() => (hasContents.value = true)}
          />
        )}
        <ControlButton
          icon="sun"
          label={t(`read.theme.${theme}`)}
          press={() => choose({ theme: nextTheme(theme) })}
        />
      </PagesBar>
      <div class="pdf-sheet" data-state={states.find((state) => state !== undefined) ?? 'wait'}>
        {children}
        {opened === null && (
          <div class="loading" role="status" aria-busy="true" aria-label={t('state.loading')} />
        )}
        {states.includes('broken') && <p class="pdf-broken">{t('read.brokenPage')}</p>}
      </div>
      {opened !== null && <PagesFoot of={turned} />}
      {hasContents.value && (
        <ContentsDialog
          lines={lines}
          choose={(line) => {
            hasContents.value = false;
            link?.send({ type: 'follow', line });
          }}
          close={() => (hasContents.value = false)}
        />
      )}
      {outside.value !== null && (
        <WayOut url={outside.value} close={() => (outside.value = null)} />
      )}
    </>
  );
}

/** Asks before a link of a book leads to another site, which it names. */
const WayOut = ({ url, close }: { readonly url: URL; readonly close: () => void }) => (
  <Dialog title={t('read.out')} onClose={close}>
    <p>
      <bdi>{url.host}</bdi>
    </p>
    <p class="buttons dialog-buttons">
      <Button onClick={close}>{t('action.cancel')}</Button>
      <a
        class="button primary"
        href={url.href}
        target="_blank"
        rel="noopener noreferrer"
        onClick={close}
      >
        <Icon name="external" />
        {t('read.goOut')}
      </a>
    </p>
  </Dialog>
);
