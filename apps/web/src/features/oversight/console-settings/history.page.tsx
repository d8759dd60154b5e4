import type { ConsoleSettingChanged, SettingValue } from '@godwit/contract'
import { History } from 'lucide-react'
import { useMemo } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'
import { historySource, SETTING_SOURCES } from './settings-query.ts'
import { shownValue } from './shown-value.ts'

const SHAPE = consoleShape({ filters: ['text'] })

const GENERAL = historySource(SETTING_SOURCES.general)
const SECURITY = historySource(SETTING_SOURCES.security)
const DESIGN = historySource(SETTING_SOURCES.design)
const MAIL = historySource(SETTING_SOURCES.mail)
const BACKUP = historySource(SETTING_SOURCES.backup)
const CERTIFICATE = historySource(SETTING_SOURCES.certificate)

/** Who changed which setting, when, and from what to what. */
export function SettingHistoryPage() {
  const texts = useTexts()
  return <HistoryPage source={GENERAL} back={{ to: '/admin/settings', label: texts('settings.title') }} />
}

export function SecurityHistoryPage() {
  const texts = useTexts()
  return <HistoryPage source={SECURITY} back={{ to: '/admin/security', label: texts('security-settings.title') }} />
}

export function DesignHistoryPage() {
  const texts = useTexts()
  return <HistoryPage source={DESIGN} back={{ to: '/admin/design', label: texts('design.title') }} />
}

export function BackupHistoryPage() {
  const texts = useTexts()
  return <HistoryPage source={BACKUP} back={{ to: '/admin/backups', label: texts('backups.title') }} />
}

export function CertificateHistoryPage() {
  const texts = useTexts()
  return (
    <HistoryPage source={CERTIFICATE} back={{ to: '/admin/certificates/acme', label: texts('certificates.title') }} />
  )
}

export function MailWordsHistoryPage() {
  const texts = useTexts()
  return <HistoryPage source={MAIL} back={{ to: '/admin/mail/templates', label: texts('mail-words.title') }} />
}

interface HistoryPageProps {
  readonly source: ListSource<ConsoleSettingChanged>
  readonly back: { readonly to: string; readonly label: string }
}

function HistoryPage({ source, back }: HistoryPageProps) {
  const texts = useTexts()
  const columns = useMemo(() => columnsOf(texts), [texts])
  return (
    <ListPage
      name="settings-history"
      title={texts('settings.history.title')}
      help={texts('settings.history.help')}
      back={back}
      source={source}
      shape={SHAPE}
      filters={[{ kind: 'search', name: 'text', label: texts('settings.search') }]}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ label }) => label[texts.locale]}
      empty={{
        icon: <History size={28} />,
        title: texts('settings.history.empty'),
        text: texts('settings.history.empty.text'),
      }}
    />
  )
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<ConsoleSettingChanged>> {
  const column = (
    id: string,
    header: string,
    text: (row: ConsoleSettingChanged) => string,
    facts: Partial<ListColumn<ConsoleSettingChanged>> = {},
  ): ListColumn<ConsoleSettingChanged> => ({ id, header, text, cell: text, ...facts })
  const value = (row: ConsoleSettingChanged, held: SettingValue | null): string =>
    held === null ? texts('settings.default-word') : shownValue(held, row, texts)
  return [
    column('setting', texts('settings.setting'), ({ label }) => label[texts.locale], {
      narrow: 'title',
      width: 'minmax(200px, 2fr)',
    }),
    column('time', texts('log.time'), ({ at }) => formatTime(at / 1000), { width: '180px' }),
    column('by', texts('settings.by'), ({ by }) => (by === 'operator' ? texts('settings.operator') : by)),
    column('before', texts('log.before'), (row) => value(row, row.before)),
    column('after', texts('log.after'), (row) => value(row, row.after)),
  ]
}
