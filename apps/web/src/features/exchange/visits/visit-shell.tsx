import type { LinkInfo } from '@godwit/contract'
import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { Moon, Sun, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useMedia } from '../../../lib/use-media.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Logo } from '../../../ui/logo.tsx'
import { Company, LanguageSwitch, PauseBanner, productName, useSite } from '../../foundation/site/index.ts'
import styles from './visits.module.css'

export interface VisitShellProps {
  readonly info: LinkInfo
  readonly children: ReactNode
}

/** Whose site it is, who shares and how much; then the page itself. */
export function VisitShell({ info, children }: VisitShellProps) {
  const texts = useTexts()
  const site = useSite()
  const { shareAccount, itemCount, shareUrlType } = info
  const isInvite = shareUrlType === SHARE_URL_TYPE.upload
  return (
    <div className={styles['shell']}>
      <header className={styles['header']}>
        <span className={styles['brand']}>
          <Logo size={32} />
          <span className={styles['product']} translate="no">
            {productName(site, texts)}
          </span>
        </span>
        <p className={styles['owner']} data-testid="owner">
          <UserRound size={16} aria-hidden="true" />
          <span>
            {isInvite
              ? texts('share.header.invite', { account: shareAccount })
              : texts('share.header.share', { account: shareAccount, count: itemCount })}
          </span>
        </p>
        <div className={styles['tools']}>
          <ThemeSwitch />
          <LanguageSwitch />
        </div>
      </header>
      <PauseBanner />
      <main className={styles['main']}>{children}</main>
      <Company />
    </div>
  )
}

function ThemeSwitch() {
  const texts = useTexts()
  const { theme } = useServices()
  const chosen = useStore(theme)
  const isSystemDark = useMedia('(prefers-color-scheme: dark)')
  const next = (chosen === 'system' ? isSystemDark : chosen === 'dark') ? 'light' : 'dark'
  const Icon = next === 'light' ? Sun : Moon
  return (
    <IconButton
      label={`${texts('theme.label')}: ${texts(`theme.${next}`)}`}
      icon={<Icon size={18} aria-hidden="true" />}
      onClick={() => theme.set(next)}
    />
  )
}
