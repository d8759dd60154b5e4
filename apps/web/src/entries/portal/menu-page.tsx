import { landingPath, leastEdition, type MenuViewer, pageAccess } from '@godwit/contract/foundation/menus'
import type { AccountType } from '@godwit/contract/identity/account-types'
import { Navigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { LimitScreen, useSite } from '../../features/foundation/site/index.ts'
import { useAccount } from '../../features/identity/auth/index.ts'
import type { PageDef } from '../../lib/feature.ts'
import { useTexts } from '../../lib/texts.tsx'
import { DeniedPage } from './denied-page.tsx'

/** Who looks at the menu, as its rules ask for. */
export function useMenuViewer(): MenuViewer {
  const site = useSite()
  const { accountType } = useAccount().user
  return useMemo(() => ({ site, accountType: accountType as AccountType }), [site, accountType])
}

export type MenuPageProps = Required<Pick<PageDef, 'menu' | 'component'>>

/** The page of a menu entry, or the reason why there is none: switched off, or not part of the edition. */
export function MenuPage({ menu, component: Page }: MenuPageProps) {
  const texts = useTexts()
  switch (pageAccess(menu, useMenuViewer())) {
    case 'limited':
      return <LimitScreen page={texts(`menu.${menu}`)} edition={leastEdition(menu)} />
    case 'denied':
      return <DeniedPage />
    case 'open':
      return <Page />
  }
}

/** Leads to the first enabled entry of the menu. */
export function LandingPage() {
  const path = landingPath(useMenuViewer())
  return path === undefined ? <DeniedPage isLanding /> : <Navigate to={path} replace />
}
