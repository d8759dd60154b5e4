import type { BackupView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { DatabaseBackup, ShieldCheck } from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable, TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { SectionCard } from '../../../ui/section-card.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { NotLoaded } from '../../console-kit/not-loaded.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { useRight } from '../../identity/administration/index.ts'
import { SettingsForm } from './settings-form.tsx'
import { SETTING_SOURCES, useSettings } from './settings-query.ts'
import styles from './settings.module.css'

const KEY = 'backups'
const LOOK_MS = 3_000
const CALM_MS = 60_000

/** Archives of the whole installation: by a schedule or now, and whether they restore. */
export function BackupsPage() {
  return useTextBundle('dashboard') ? <Backups /> : null
}

function Backups() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  const query = useQuery({
    queryKey: ['console', KEY],
    // What runs ends by itself, so looking again is no activity of the person.
    queryFn: ({ signal }) => api.call(routes.backups.list, {}, { signal, quiet: true }),
    refetchInterval: ({ state }) => (state.data?.backups.some(isUnderWay) === true ? LOOK_MS : CALM_MS),
  })
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
      await refresh()
    } catch (error) {
      messages.fail(error, texts)
    }
  }
  const begin = (
    <Button kind="solid" onClick={() => void attempt(() => api.call(routes.backups.begin, {}))}>
      {texts('backups.begin')}
    </Button>
  )
  const drill: Action<BackupView> = {
    name: 'drill-backup',
    label: 'backups.drill',
    group: 'general',
    icon: ShieldCheck,
    when: ({ state, drillState }) => state === 'done' && drillState !== 'running',
    run: ({ id }) => void attempt(() => api.call(routes.backups.drill, { body: { backupId: id } })),
  }
  return (
    <LoadedPage title={texts('backups.title')} query={query}>
      {({ backups, folder }) => (
        <PageFrame title={texts('backups.title')} help={texts('backups.help')} actions={begin}>
          <SectionCard title={texts('backups.list')} lead={texts('backups.where', { folder })}>
            <DataTable
              label={texts('backups.list')}
              columns={columnsOf(texts)}
              rows={backups}
              idOf={({ id }) => id}
              nameOf={({ startedAt }) => formatTime(startedAt / 1000)}
              rowActions={[drill]}
              empty={
                <StatePanel
                  icon={<DatabaseBackup size={28} />}
                  title={texts('backups.empty.title')}
                  text={texts('backups.empty.text')}
                  actions={begin}
                />
              }
            />
            <p className={styles['place']}>{texts('backups.restore')}</p>
          </SectionCard>
          <Schedule />
        </PageFrame>
      )}
    </LoadedPage>
  )
}

/** When backups are made. Their folder is as good as the host, so only the super administrator sets them. */
function Schedule() {
  const texts = useTexts()
  const mayEdit = useRight('backup.restore')
  const query = useSettings(SETTING_SOURCES.backup)
  const { data } = query
  if (!mayEdit) return null
  return (
    <SectionCard title={texts('backups.schedule')}>
      {data === undefined ? (
        <NotLoaded query={query} />
      ) : (
        <SettingsForm source={SETTING_SOURCES.backup} settings={data} />
      )}
    </SectionCard>
  )
}

function isUnderWay({ state, drillState }: BackupView): boolean {
  return state === 'running' || drillState === 'running'
}

function columnsOf(texts: Texts): ReadonlyArray<Column<BackupView>> {
  const toneOf = (state: string) =>
    state === 'failed' ? 'bad' : state === 'running' || state === '' ? 'plain' : 'good'
  return [
    {
      id: 'started',
      header: texts('backups.started'),
      narrow: 'title',
      width: TIME_WIDTH,
      cell: ({ startedAt }) => formatTime(startedAt / 1000),
    },
    {
      id: 'state',
      header: texts('backups.state'),
      width: '130px',
      cell: ({ state }) => <Tag tone={toneOf(state)}>{texts(`backups.state.${state}`)}</Tag>,
    },
    {
      id: 'size',
      header: texts('backups.size'),
      isNumeric: true,
      width: '110px',
      cell: ({ bytes, state }) => (state === 'done' ? formatSize(bytes, texts.locale) : '-'),
    },
    {
      id: 'drill',
      header: texts('backups.drill.state'),
      width: '160px',
      cell: ({ drillState }) => (
        <Tag tone={toneOf(drillState)}>{texts(`backups.drill.${drillState === '' ? 'none' : drillState}`)}</Tag>
      ),
    },
    {
      id: 'reason',
      header: texts('backups.details'),
      width: 'minmax(200px, 2fr)',
      cell: ({ reason, drillReason, file }) => {
        const shown = reason || drillReason || file
        return (
          <span translate="no" title={shown}>
            {shown}
          </span>
        )
      },
    },
  ]
}
