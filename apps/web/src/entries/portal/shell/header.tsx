import { Link, useNavigate } from '@tanstack/react-router'
import { CircleHelp, Menu, MonitorDown, QrCode } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import { TransferList } from '../../../features/content/uploads/index.ts'
import { ClientTransfers } from '../../../features/exchange/transfers/index.ts'
import { ClientPackages } from '../../../features/exchange/clients/index.ts'
import { LanguageSwitch, productName, useSite } from '../../../features/foundation/site/index.ts'
import { Bell } from '../../../features/oversight/notices/index.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Logo } from '../../../ui/logo.tsx'
import { PopoverButton } from '../../../ui/popover.tsx'
import { LANDING } from '../remembered-place.ts'
import { AccountMenu } from './account-menu.tsx'
import styles from './shell.module.css'

const AppCodes = lazyWindow(
  lazyModule(() => import('./app-codes.tsx')),
  (module): ComponentType<{ readonly onClose: () => void }> => module.AppCodes,
)

export interface HeaderProps {
  readonly hasUploadPanel: boolean
  /** Absent: there is no menu to open, or it stands beside the page. */
  readonly onMenu: (() => void) | undefined
  readonly onShortcuts: () => void
  readonly onMessages: () => void
}

/** Where one is at home, and what belongs to every page. A phone keeps what is of use on a phone. */
export function Header({ hasUploadPanel, onMenu, onShortcuts, onMessages }: HeaderProps) {
  const texts = useTexts()
  const site = useSite()
  const isRoomy = useMedia(ROOMY)
  const navigate = useNavigate()
  return (
    <header className={styles['header']}>
      {onMenu !== undefined && (
        <IconButton label={texts('menu.open')} icon={<Menu size={20} aria-hidden="true" />} onClick={onMenu} />
      )}
      <Link className={styles['brand']} to={LANDING}>
        <Logo size={32} />
        <span className={styles['product']} translate="no">
          {productName(site, texts)}
        </span>
      </Link>
      <div className={styles['space']} />
      <TransferList onShowPanel={() => void (hasUploadPanel || navigate({ to: LANDING }))} Others={OtherTransfers} />
      <Bell />
      {isRoomy && <Downloads />}
      {isRoomy && <LanguageSwitch />}
      {isRoomy && (
        <IconButton
          label={texts('action.help')}
          icon={<CircleHelp size={20} aria-hidden="true" />}
          onClick={onShortcuts}
        />
      )}
      <AccountMenu onShortcuts={onShortcuts} onMessages={onMessages} />
    </header>
  )
}

/** What goes by other ways, and the way to all of it. */
function OtherTransfers({ onFollow }: { readonly onFollow: () => void }) {
  const texts = useTexts()
  return (
    <>
      <ClientTransfers />
      <Link className={styles['all']} to="/transfers" onClick={onFollow}>
        {texts('header.transfers.all')}
      </Link>
    </>
  )
}

/** The phone apps, unless the site hides their codes, and the desktop client, when this server has one. */
function Downloads() {
  const texts = useTexts()
  const { shieldQRCode, androidLink, iosLink, clientPackages } = useSite()
  const hasApps = shieldQRCode !== 1 && androidLink + iosLink !== ''
  return (
    <>
      {hasApps && (
        <HeaderPopover label={texts('header.app')} icon={<QrCode size={20} aria-hidden="true" />}>
          {(close) => <AppCodes onClose={close} />}
        </HeaderPopover>
      )}
      {clientPackages.length > 0 && (
        <HeaderPopover label={texts('header.client')} icon={<MonitorDown size={20} aria-hidden="true" />}>
          {() => (
            <>
              <p className={styles['note']}>{texts('header.client.text')}</p>
              <ClientPackages />
            </>
          )}
        </HeaderPopover>
      )}
    </>
  )
}

interface HeaderPopoverProps {
  readonly label: string
  readonly icon: ReactNode
  /** Called with a function that closes the popover. */
  readonly children: (close: () => void) => ReactNode
}

function HeaderPopover({ label, icon, children }: HeaderPopoverProps) {
  return (
    <PopoverButton title={label} trigger={<IconButton label={label} icon={icon} />}>
      {children}
    </PopoverButton>
  )
}
