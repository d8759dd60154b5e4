import {
  landingPath,
  leastEdition,
  type MenuName,
  type MenuViewer,
  pageAccess,
} from '@godwit/contract/foundation/menus'
import type { AccountType } from '@godwit/contract/identity/account-types'
import { Link, Navigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ComponentType, useMemo } from 'react'
import { FilesPage } from '../../features/content/files/index.ts'
import { LimitScreen, useSite } from '../../features/foundation/site/index.ts'
import { useAccount } from '../../features/identity/auth/index.ts'
import { useTexts } from '../../lib/texts.tsx'
import { StatePanel } from '../../ui/state-panel.tsx'
import { LANDING } from './remembered-place.ts'

/** The pages of the menu that exist. */
const PAGES: Readonly<Partial<Record<MenuName, ComponentType>>> = { personal: FilesPage }

/** Who looks at the menu, as its rules ask for. */
export function useMenuViewer(): MenuViewer {
  const site = useSite()
  const { accountType } = useAccount().user
  return useMemo(() => ({ site, accountType: accountType as AccountType }), [site, accountType])
}

/** The page of a menu entry, or why there is none: switched off, or not part of the edition (document 1, section 2). */
export function MenuPage({ name }: { readonly name: MenuName }) {
  const texts = useTexts()
  const access = pageAccess(name, useMenuViewer())
  if (access === 'limited') return <LimitScreen page={texts(`menu.${name}`)} edition={leastEdition(name)} />
  const Page = PAGES[name]
  return access === 'open' && Page !== undefined ? <Page /> : <DeniedPage />
}

/** Leads to the first enabled entry of the menu. */
export function LandingPage() {
  const path = landingPath(useMenuViewer())
  return path === undefined ? <DeniedPage isLanding /> : <Navigate to={path} replace />
}

function DeniedPage({ isLanding = false }: { readonly isLanding?: boolean }) {
  const texts = useTexts()
  return (
    <div data-testid="denied">
      <StatePanel
        icon={<Lock size={28} />}
        title={texts('pages.denied.title')}
        text={texts('pages.denied.text')}
        actions={isLanding ? undefined : <Link to={LANDING}>{texts('pages.denied.home')}</Link>}
      />
    </div>
  )
}
