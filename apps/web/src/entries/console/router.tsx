import type { EditionName, Feature } from '@godwit/contract/foundation/editions'
import { createRootRoute, createRoute, createRouter, Navigate, type RouteComponent } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { LimitScreen, useMissing } from '../../features/foundation/site/index.ts'
import { hasRight, useAdministrator } from '../../features/identity/administration/index.ts'
import type { ConsolePage } from '../../lib/console-feature.ts'
import { useTexts } from '../../lib/texts.tsx'
import { CrashPage, CrashPanel } from '../../ui/error-boundary.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatePanel } from '../../ui/state-panel.tsx'
import { menuOf, PAGES } from './features.ts'
import { Shell } from './shell/shell.tsx'
import styles from './shell/shell.module.css'

const HOME = '/admin'

/** The console's pages. An address that is none of them leads to the first page that the administrator may open. */
export function createConsoleRouter() {
  const root = createRootRoute({
    component: Shell,
    errorComponent: CrashPage,
    notFoundComponent: () => <Navigate to={HOME} replace />,
  })
  const at = (path: string, component: RouteComponent) => createRoute({ getParentRoute: () => root, path, component })
  return createRouter({
    defaultErrorComponent: CrashPanel,
    routeTree: root.addChildren([at(HOME, HomePage), ...PAGES.map((page) => at(page.path, guarded(page)))]),
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      const text = new URLSearchParams(given).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}

function HomePage() {
  const first = menuOf(useAdministrator())[0]?.pages[0]
  return first === undefined ? <Closed kind="empty" /> : <Navigate to={first.path} replace />
}

function guarded({ right, title, feature, component: Page }: ConsolePage): RouteComponent {
  return function GuardedPage() {
    const edition = useMissing()(feature)
    if (!hasRight(useAdministrator(), right)) return <Closed kind="closed" />
    if (feature === undefined || edition === undefined) return <Page />
    return <LimitedPage {...{ title, feature, edition, Page }} />
  }
}

/** What somebody wants to see although the edition lacks it; until the page is loaded anew. */
const looked = new Set<Feature>()

interface LimitedPageProps extends Pick<ConsolePage, 'title'> {
  readonly feature: Feature
  readonly edition: EditionName
  readonly Page: ConsolePage['component']
}

/** What was made under another edition can be read; the server refuses what needs the edition. */
function LimitedPage({ title, feature, edition, Page }: LimitedPageProps) {
  const texts = useTexts()
  const [isOpen, setIsOpen] = useState(looked.has(feature))
  const open = (): void => {
    looked.add(feature)
    setIsOpen(true)
  }
  const page = texts(title)
  if (!isOpen)
    return <LimitScreen {...{ page, edition }} onOpen={{ label: texts('console.limited.open'), run: open }} />
  return (
    <>
      <div className={styles['limited']}>
        <Notice kind="warning">{texts('console.limited.notice', { page, edition })}</Notice>
      </div>
      <Page />
    </>
  )
}

function Closed({ kind }: { readonly kind: 'empty' | 'closed' }) {
  const texts = useTexts()
  return (
    <StatePanel
      level={1}
      icon={<Lock size={28} />}
      title={texts(`console.${kind}.title`)}
      text={texts(`console.${kind}.text`)}
    />
  )
}
