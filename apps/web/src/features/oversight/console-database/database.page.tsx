import type { DatabaseView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { formatSize } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { useRight } from '../../identity/administration/index.ts'
import { CopyCard } from './copy-card.tsx'
import { DATABASE_KEY } from './database-key.ts'
import { TargetCard } from './target-card.tsx'

const BUSY_MS = 1_000
const CALM_MS = 10_000

/** What database is in use, and the way from SQLite to a server of its own: test, copy, compare, switch. */
export function DatabasePage() {
  return useTextBundle('dashboard') ? <DatabaseInUse /> : null
}

function DatabaseInUse() {
  const texts = useTexts()
  const { api } = useServices()
  // To name another database is to restore one: the super administrator's.
  const mayMove = useRight('backup.restore')
  const query = useQuery({
    queryKey: ['console', DATABASE_KEY],
    // A copy goes on by itself, so looking again is no activity of the person.
    queryFn: ({ signal }) => api.call(routes.database.view, {}, { signal, quiet: true }),
    refetchInterval: ({ state }) => (state.data?.copy?.state === 'running' ? BUSY_MS : CALM_MS),
  })
  return (
    <LoadedPage title={texts('database.title')} query={query}>
      {(database) => (
        <PageFrame title={texts('database.title')} help={texts('database.help')} isNarrow>
          <InUse database={database} />
          {database.switchFault !== '' && (
            <Notice kind="error">{texts('database.switch.fault', { reason: database.switchFault })}</Notice>
          )}
          {mayMove && database.engine === 'SQLite' && !database.isConfigured && (
            <>
              <TargetCard copy={database.copy} />
              {database.copy !== null && <CopyCard copy={database.copy} obstacle={database.obstacle} />}
            </>
          )}
        </PageFrame>
      )}
    </LoadedPage>
  )
}

function InUse({ database }: { readonly database: DatabaseView }) {
  const texts = useTexts()
  const { engine, version, bytes, place, isConfigured } = database
  return (
    <SectionCard
      title={texts('database.in-use')}
      lead={texts(engine === 'SQLite' ? 'database.in-use.sqlite' : 'database.in-use.server')}
    >
      <Facts
        facts={[
          { label: texts('database.engine'), value: `${engine} ${version}` },
          { label: texts('database.size'), value: formatSize(bytes, texts.locale) },
          { label: texts('database.place'), value: <span translate="no">{place}</span> },
        ]}
      />
      {isConfigured && <Notice kind="info">{texts('database.configured')}</Notice>}
    </SectionCard>
  )
}
