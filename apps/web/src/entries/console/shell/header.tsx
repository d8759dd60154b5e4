import { Link } from '@tanstack/react-router'
import { ArrowUpRight, CircleUserRound, LogOut, Menu, Search } from 'lucide-react'
import { LanguageSwitch, productName, useSite } from '../../../features/foundation/site/index.ts'
import { useAdministrator } from '../../../features/identity/administration/index.ts'
import { logOut } from '../../../features/identity/auth/index.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Logo } from '../../../ui/logo.tsx'
import { MenuButton, MenuEntries, MenuSeparator } from '../../../ui/menu.tsx'
import { PreferenceChoices } from '../../../ui/preference-choices.tsx'
import styles from './shell.module.css'

export interface HeaderProps {
  /** Absent: the menu stands beside the page. */
  readonly onMenu: (() => void) | undefined
  readonly onSearch: () => void
}

export function Header({ onMenu, onSearch }: HeaderProps) {
  const texts = useTexts()
  const site = useSite()
  const isRoomy = useMedia(ROOMY)
  return (
    <header className={styles['header']}>
      {onMenu !== undefined && (
        <IconButton label={texts('menu.open')} icon={<Menu size={20} aria-hidden="true" />} onClick={onMenu} />
      )}
      <Link className={styles['brand']} to="/admin" search={{}}>
        <Logo size={32} />
        <span className={styles['product']} translate="no">
          {productName(site, texts)}
        </span>
        {isRoomy && <span className={styles['console']}>{texts('console.name')}</span>}
      </Link>
      {isRoomy ? (
        <button type="button" className={styles['search']} onClick={onSearch} aria-keyshortcuts="/">
          <Search size={16} aria-hidden="true" />
          <span>{texts('console.search')}</span>
          <kbd aria-hidden="true">{'/'}</kbd>
        </button>
      ) : (
        <>
          <div className={styles['space']} />
          <IconButton
            label={texts('console.search')}
            icon={<Search size={20} aria-hidden="true" />}
            onClick={onSearch}
          />
        </>
      )}
      {isRoomy && <LanguageSwitch />}
      {isRoomy && (
        <a className={styles['portal']} href="/">
          {texts('console.to-portal')}
          <ArrowUpRight size={16} aria-hidden="true" />
        </a>
      )}
      <AccountMenu />
    </header>
  )
}

function AccountMenu() {
  const texts = useTexts()
  const { englishOnly } = useSite()
  const { api, session } = useServices()
  const { name, account } = useAdministrator()
  const shown = name === '' ? account : name
  return (
    <MenuButton
      align="end"
      trigger={
        <Button
          kind="quiet"
          className={styles['account']}
          aria-label={texts('account.menu', { account: shown })}
          data-testid="account"
        >
          <CircleUserRound size={20} aria-hidden="true" />
          <span translate="no">{shown}</span>
        </Button>
      }
    >
      <MenuEntries
        entries={[
          {
            id: 'portal',
            label: texts('console.to-portal'),
            icon: <ArrowUpRight size={18} aria-hidden="true" />,
            run: () => location.assign('/'),
          },
        ]}
      />
      <MenuSeparator />
      <PreferenceChoices hasLanguages={englishOnly !== 1} />
      <MenuSeparator />
      <MenuEntries
        entries={[
          {
            id: 'log-out',
            label: texts('account.logout'),
            icon: <LogOut size={18} aria-hidden="true" />,
            run: () => logOut(api, session, 'logged-out'),
          },
        ]}
      />
    </MenuButton>
  )
}
