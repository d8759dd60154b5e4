import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { PauseBanner, tabTitle, useSite } from '../../../features/foundation/site/index.ts'
import { SessionWatch } from '../../../features/identity/session/index.ts'
import { type Action, bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { Drawer, preloadDialogs } from '../../../ui/dialog.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { preloadMenus } from '../../../ui/menu.tsx'
import { PAGES } from '../features.ts'
import { Header } from './header.tsx'
import { MenuList } from './menu-list.tsx'
import styles from './shell.module.css'

const SearchDialog = lazyWindow(
  lazyModule(() => import('./search-dialog.tsx')),
  (module) => module.SearchDialog,
)

/** After the page is on the screen. */
const PRELOAD_MS = 1_500

const SEARCH: ReadonlyArray<Action<{ readonly search: () => void }>> = [
  { name: 'search', label: 'console.search', group: 'general', keys: ['/'], run: ({ search }) => search() },
]

/** Header, menu and content of the console. */
export function Shell() {
  const texts = useTexts()
  const isRoomy = useMedia(ROOMY)
  const [sheet, setSheet] = useState<'menu' | 'search'>()
  const title = usePageTitle()
  const actions = useMemo(() => bindActions(SEARCH, { search: () => setSheet('search') }), [])
  useRegisteredActions(actions)
  useEffect(() => {
    const timer = setTimeout(() => {
      preloadMenus()
      preloadDialogs()
      texts.prepare()
    }, PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [texts])
  const close = (): void => setSheet(undefined)
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#content">
        {texts('app.skip')}
      </a>
      <Header onMenu={isRoomy ? undefined : () => setSheet('menu')} onSearch={() => setSheet('search')} />
      {isRoomy && (
        <nav className={styles['side']} aria-label={texts('menu.label')} data-testid="side">
          <MenuList />
        </nav>
      )}
      <main className={styles['main']} id="content" tabIndex={-1}>
        <PauseBanner />
        <Outlet />
      </main>
      <Hidden live>{title}</Hidden>
      {sheet === 'search' && <SearchDialog onClose={close} />}
      {sheet === 'menu' && (
        <Drawer side="start" title={texts('menu.label')} closeLabel={texts('common.close')} onClose={close}>
          <nav className={styles['sheet']} aria-label={texts('menu.label')}>
            <MenuList onFollow={close} />
          </nav>
        </Drawer>
      )}
      <SessionWatch isWorking={isNeverWorking} isEnded={false} />
    </div>
  )
}

function isNeverWorking(): boolean {
  return false
}

/** Names the tab after the page. */
function usePageTitle(): string {
  const texts = useTexts()
  const site = useSite()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const page = PAGES.find(({ path: pattern }) => fits(pattern, path))
  const title = tabTitle(page === undefined ? texts('console.name') : texts(page.title), site, texts)
  useEffect(() => {
    document.title = title
  }, [title])
  return title
}

/** Part by part; `$name` stands for any. */
function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at])
}
