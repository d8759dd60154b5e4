import { Link, Navigate, useLocation } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../auth/index.ts'
import { InfoPage } from './info.page.tsx'
import { PROFILE_ENTRIES, type ProfilePageName, shownPages } from './profile-pages.ts'
import styles from './profile.module.css'

const PAGES: Readonly<Record<ProfilePageName, ComponentType>> = {
  info: InfoPage,
  password: lazyPart(
    lazyModule(() => import('./password.page.tsx')),
    (module) => module.PasswordPage,
  ),
  email: lazyPart(
    lazyModule(() => import('./email.page.tsx')),
    (module) => module.EmailPage,
  ),
  security: lazyPart(
    lazyModule(() => import('./security/security.page.tsx')),
    (module) => module.SecurityPage,
  ),
  tokens: lazyPart(
    lazyModule(() => import('./tokens/tokens.page.tsx')),
    (module) => module.TokensPage,
  ),
}

/** The personal centre: `/profile` and the pages below it. A page that is not for this person leads to the first one. */
export function ProfilePage() {
  const site = useSite()
  const { user } = useAccount()
  const { pathname } = useLocation()
  const pages = shownPages({ user, site })
  const page = pages.find((name) => pathname.replace(/\/$/, '') === `/profile/${name}`)
  if (page === undefined) {
    // The address of the next page arrives before this one is taken down; leading back would undo the way out.
    return pathname.startsWith('/profile') ? <Navigate to="/profile/info" replace /> : null
  }
  const Page = PAGES[page]
  return (
    <div className={styles['profile']}>
      <ProfileMenu pages={pages} current={page} />
      <div className={styles['content']}>
        <Page key={page} />
      </div>
    </div>
  )
}

interface ProfileMenuProps {
  readonly pages: readonly ProfilePageName[]
  readonly current: ProfilePageName
}

function ProfileMenu({ pages, current }: ProfileMenuProps) {
  const texts = useTexts()
  return (
    <nav className={styles['menu']} aria-label={texts('profile.menu')}>
      <h1 className={styles['heading']}>{texts('profile.title')}</h1>
      <ul>
        {pages.map((page) => {
          const { label, icon: Icon } = PROFILE_ENTRIES[page]
          return (
            <li key={page}>
              <Link
                to={`/profile/${page}`}
                className={styles['entry'] ?? ''}
                aria-current={page === current ? 'page' : undefined}
                ref={page === current ? intoView : undefined}
              >
                <Icon size={18} aria-hidden="true" />
                {texts(label)}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** On a phone the menu is a strip that scrolls. */
function intoView(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center' })
}
