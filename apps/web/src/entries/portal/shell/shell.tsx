import { Outlet } from '@tanstack/react-router'
import { CircleHelp, CloudOff, Files, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useFilesServices } from '../../../features/content/files/index.ts'
import { Uploads } from '../../../features/content/uploads/index.ts'
import { productName, useSite } from '../../../features/foundation/site/index.ts'
import { useAccount } from '../../../features/identity/auth/index.ts'
import { type Action, bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { formatSize } from '../../../lib/formats.ts'
import { useStore } from '../../../lib/store.ts'
import { readStored, writeStored } from '../../../lib/storage.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { preloadDialogs } from '../../../ui/dialog.tsx'
import { Logo } from '../../../ui/logo.tsx'
import { preloadMenus } from '../../../ui/menu.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Toasts } from '../../../ui/toasts.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useMessages } from './messages-context.tsx'
import { SessionWatch } from './session-watch.tsx'
import styles from './shell.module.css'

const MessageHistory = lazy(async () => ({ default: (await import('./message-history.tsx')).MessageHistory }))
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }))

const SIDE_KEY = 'godwit.side'
/** After the list is on the screen. */
const PRELOAD_MS = 1_500

interface ShellContext {
  readonly showHelp: () => void
}

const SHELL_ACTIONS: ReadonlyArray<Action<ShellContext>> = [
  {
    id: 'help',
    label: 'action.help',
    group: 'general',
    shortcuts: ['?', 'F1'],
    isOffered: () => true,
    run: ({ showHelp }) => showHelp(),
  },
]

type Sheet = 'shortcuts' | 'messages'

/** Header, menu, content, and what floats above them. */
export function Shell() {
  const texts = useTexts()
  const site = useSite()
  const messages = useMessages()
  const isRoomy = useMedia(ROOMY)
  const [isNarrow, setNarrow] = useState(readStored(SIDE_KEY) === 'narrow')
  const [sheet, setSheet] = useState<Sheet>()
  const actions = useMemo(() => bindActions(SHELL_ACTIONS, { showHelp: () => setSheet('shortcuts') }), [])
  useRegisteredActions(actions)
  useEffect(() => writeStored(SIDE_KEY, isNarrow ? 'narrow' : undefined), [isNarrow])
  useEffect(() => {
    const timer = setTimeout(() => {
      preloadMenus()
      preloadDialogs()
      texts.prepare()
    }, PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [texts])
  const name = productName(site, texts)
  return (
    <div className={classNames(styles['shell'], isNarrow && styles['narrow'])}>
      <a className={styles['skip']} href="#content">
        {texts('app.skip')}
      </a>
      <header className={styles['header']}>
        <a className={styles['brand']} href="/personal">
          <Logo size={32} />
          <span className={styles['product']}>{name}</span>
        </a>
        <div className={styles['space']} />
        {isRoomy && (
          <IconButton
            label={texts('action.help')}
            icon={<CircleHelp size={20} aria-hidden="true" />}
            onClick={() => setSheet('shortcuts')}
          />
        )}
        <AccountMenu onShortcuts={() => setSheet('shortcuts')} onMessages={() => setSheet('messages')} />
      </header>
      {isRoomy && <Side isNarrow={isNarrow} onToggle={() => setNarrow(!isNarrow)} />}
      <main className={styles['main']} id="content" tabIndex={-1}>
        <OfflineBar />
        <Outlet />
      </main>
      <Uploads title={`${texts('files.title')} - ${name}`} />
      <Toasts messages={messages} label={texts('toasts.label')} dismissLabel={texts('common.dismiss')} />
      <Suspense fallback={null}>
        {sheet === 'shortcuts' && <ShortcutSheet onClose={() => setSheet(undefined)} />}
        {sheet === 'messages' && <MessageHistory onClose={() => setSheet(undefined)} />}
      </Suspense>
      <SessionWatch />
    </div>
  )
}

function Side({ isNarrow, onToggle }: { readonly isNarrow: boolean; readonly onToggle: () => void }) {
  const texts = useTexts()
  const Icon = isNarrow ? PanelLeftOpen : PanelLeftClose
  return (
    <nav className={styles['side']} aria-label={texts('menu.label')}>
      {!isNarrow && <p className={styles['group']}>{texts('menu.files')}</p>}
      <a
        className={styles['item']}
        href="/personal"
        aria-current="page"
        aria-label={isNarrow ? texts('menu.personal') : undefined}
        title={isNarrow ? texts('menu.personal') : undefined}
      >
        <Files size={20} aria-hidden="true" />
        {!isNarrow && texts('menu.personal')}
      </a>
      <div className={styles['end']}>
        {!isNarrow && <StorageMeter />}
        <Button kind="quiet" onClick={onToggle} aria-label={texts(isNarrow ? 'menu.expand' : 'menu.collapse')}>
          <Icon size={20} aria-hidden="true" />
          {!isNarrow && texts('menu.collapse')}
        </Button>
      </div>
    </nav>
  )
}

const WARN_SHARE = 0.5
const FULL_SHARE = 0.9

function StorageMeter() {
  const texts = useTexts()
  const { usedBytes, quotaBytes } = useAccount().user
  const used = formatSize(usedBytes, texts.locale)
  const share = quotaBytes === 0 ? 0 : usedBytes / quotaBytes
  const tone = share >= FULL_SHARE ? 'error' : share >= WARN_SHARE ? 'warning' : 'active'
  return (
    <div className={styles['storage']}>
      <span>
        {quotaBytes === 0
          ? texts('storage.used-unlimited', { used })
          : texts('storage.used', { used, quota: formatSize(quotaBytes, texts.locale) })}
      </span>
      {quotaBytes > 0 && <ProgressBar label={texts('storage.label')} value={share} tone={tone} />}
    </div>
  )
}

const OFFLINE_MS = 8_000

/** Shown when the socket has been away for a while; short breaks are nobody's business. */
function OfflineBar() {
  const texts = useTexts()
  const { socket } = useFilesServices()
  const isOnline = useStore(socket.online)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    setLong(false)
    if (isOnline) return
    const timer = setTimeout(() => setLong(true), OFFLINE_MS)
    return () => clearTimeout(timer)
  }, [isOnline])
  if (isOnline || !isLong) return null
  return (
    <div className={styles['offline']} role="status">
      <CloudOff size={18} aria-hidden="true" />
      {texts('app.offline')}
    </div>
  )
}
