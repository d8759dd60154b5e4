import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import { loadUploadWork, preloadUploadParts, Uploads } from '../../../features/content/uploads/index.ts'
import { ClientBar, ConnectionLimit } from '../../../features/exchange/clients/index.ts'
import { PauseBanner, tabTitle, useSite } from '../../../features/foundation/site/index.ts'
import { bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { readStored, writeStored } from '../../../lib/storage.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { startOfflineWorker } from '../../../lib/workers.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Drawer, preloadDialogs } from '../../../ui/dialog.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { preloadMenus } from '../../../ui/menu.tsx'
import { preloadPopovers } from '../../../ui/popover.tsx'
import { ACTIONS, isFilePage, pageTitle } from '../features.ts'
import { Header } from './header.tsx'
import { SHELL_ACTIONS } from './shell-actions.ts'
import { PortalSession } from './portal-session.tsx'
import styles from './shell.module.css'
import { MenuList, Side, useHasMenu } from './side.tsx'
import { useSpaceSwitch } from './space-switch.tsx'
import { StorageMeter } from './storage-meter.tsx'

const MessageHistory = lazyWindow(
  lazyModule(() => import('./message-history.tsx')),
  (module) => module.MessageHistory,
)
const ShortcutSheet = lazyWindow(
  lazyModule(() => import('./shortcut-sheet.tsx'), 'help'),
  (module) => module.ShortcutSheet,
)

const SIDE_KEY = 'godwit.side'
/** After the list is on the screen. */
const PRELOAD_MS = 1_500

type Sheet = 'shortcuts' | 'messages' | 'menu'

/** Header, menu, content, and what floats above them. */
export function Shell() {
  const texts = useTexts()
  const isRoomy = useMedia(ROOMY)
  const hasMenu = useHasMenu()
  const [isNarrow, setNarrow] = useState(readStored(SIDE_KEY) === 'narrow')
  const [sheet, setSheet] = useState<Sheet>()
  const { pick, shown } = useSpaceSwitch()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const title = useTitle(path)
  const hasPanel = isFilePage(path)
  const actions = useMemo(() => bindActions(SHELL_ACTIONS, { showHelp: () => setSheet('shortcuts') }), [])
  useRegisteredActions(actions)
  useEffect(() => writeStored(SIDE_KEY, isNarrow ? 'narrow' : undefined), [isNarrow])
  useEffect(() => {
    const timer = setTimeout(() => {
      preloadMenus()
      preloadDialogs()
      preloadPopovers()
      preloadUploadParts()
      void loadUploadWork()
      if (import.meta.env.PROD) startOfflineWorker()
      texts.prepare()
    }, PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [texts])
  const close = (): void => setSheet(undefined)
  return (
    <div className={classNames(styles['shell'], isNarrow && styles['narrow'], !hasMenu && styles['menuless'])}>
      <a className={styles['skip']} href="#content">
        {texts('app.skip')}
      </a>
      <Header
        hasUploadPanel={hasPanel}
        onMenu={hasMenu && !isRoomy ? () => setSheet('menu') : undefined}
        onShortcuts={() => setSheet('shortcuts')}
        onMessages={() => setSheet('messages')}
      />
      {hasMenu && isRoomy && <Side isNarrow={isNarrow} onToggle={() => setNarrow(!isNarrow)} onSpace={pick} />}
      <main className={styles['main']} id="content" tabIndex={-1}>
        <PauseBanner />
        <ClientBar />
        <Outlet />
      </main>
      <Uploads title={title} hasPanel={hasPanel} />
      {/* Going to another page loads nothing anew, so nothing else would read its name aloud. */}
      <Hidden live>{title}</Hidden>
      {sheet === 'shortcuts' && <ShortcutSheet actions={ACTIONS} onClose={close} />}
      {sheet === 'messages' && <MessageHistory onClose={close} />}
      {sheet === 'menu' && (
        <Drawer side="start" title={texts('menu.label')} closeLabel={texts('common.close')} onClose={close}>
          <nav className={styles['drawer']} aria-label={texts('menu.label')}>
            <MenuList
              onFollow={close}
              onSpace={(space) => {
                close()
                pick(space)
              }}
            />
            <StorageMeter />
          </nav>
        </Drawer>
      )}
      {shown}
      <ConnectionLimit />
      <PortalSession />
    </div>
  )
}

/** The tab is named after the page; the first words of a page that is still being looked for are the site's. */
function useTitle(path: string): string {
  const texts = useTexts()
  const site = useSite()
  const page = pageTitle(path)
  return page === undefined ? texts('app.name') : tabTitle(texts(page), site, texts)
}
