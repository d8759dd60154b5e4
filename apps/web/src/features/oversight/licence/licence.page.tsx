import type { LicenceStatus, LicenceView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { FormDialog, SchemaForm } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { type Fact, Facts } from '../../console-kit/facts.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { licenceSchema, NOTHING } from './licence-schema.tsx'
import styles from './licence.module.css'

const KEY = 'licence'
const LOOK_MS = 30_000

/** What this installation may do, until when, and how much of it is used. */
export function LicencePage() {
  const texts = useTexts()
  const { api } = useServices()
  const [isRemoving, setRemoving] = useState(false)
  const query = useQuery({
    queryKey: ['console', KEY],
    queryFn: ({ signal }) => api.call(routes.licence.show, {}, { signal, quiet: true }),
    refetchInterval: LOOK_MS,
  })
  return (
    <LoadedPage title={texts('licence.title')} query={query}>
      {(status) => (
        <PageFrame title={texts('licence.title')} help={texts('licence.help')} isNarrow>
          <State status={status} onRemove={() => setRemoving(true)} />
          <Limits status={status} />
          <Install key={status.licence?.id} status={status} />
          {isRemoving && <RemoveDialog onClose={() => setRemoving(false)} />}
        </PageFrame>
      )}
    </LoadedPage>
  )
}

function State({ status, onRemove }: { readonly status: LicenceStatus; readonly onRemove: () => void }) {
  const texts = useTexts()
  const copy = useCopy()
  const { state, edition, licence, machineCode } = status
  const isBad = state === 'expired' || state === 'invalid'
  const machine = (
    <span className={styles['code']}>
      <code translate="no">{machineCode}</code>
      <IconButton
        label={texts('licence.machine.copy')}
        icon={<Copy size={16} aria-hidden="true" />}
        onClick={() => void copy(machineCode)}
      />
    </span>
  )
  const facts: readonly Fact[] = [
    {
      label: texts('licence.state'),
      value: <Tag tone={isBad ? 'bad' : state === 'active' ? 'good' : 'plain'}>{texts(`licence.state.${state}`)}</Tag>,
    },
    { label: texts('licence.edition'), value: texts(`licence.edition.${edition}`) },
    ...(licence === null ? [] : factsOf(licence, texts)),
    { label: texts('licence.machine'), value: machine },
  ]
  const isRemovable = licence !== null || status.pending !== null || state === 'invalid'
  return (
    <SectionCard
      title={texts('licence.state.title')}
      {...(isRemovable ? { action: <Button onClick={onRemove}>{texts('licence.remove')}</Button> } : {})}
    >
      {state === 'none' && <Notice kind="info">{texts('licence.none')}</Notice>}
      {state === 'expiring' && (
        <Notice kind="warning">{texts('licence.expiring', { days: Math.max(0, licence?.daysLeft ?? 0) })}</Notice>
      )}
      {isBad && <Notice kind="error">{texts(`licence.${state}`)}</Notice>}
      <Facts facts={facts} />
    </SectionCard>
  )
}

function factsOf(licence: LicenceView, texts: Texts): readonly Fact[] {
  const { holder, startsAt, expiresAt, daysLeft, activatedAt, installedBy } = licence
  const day = (at: number): string => formatTime(at / 1000).slice(0, 10)
  const until =
    expiresAt === null
      ? texts('licence.until.never')
      : texts('licence.until.day', { date: day(expiresAt), days: Math.max(0, daysLeft ?? 0) })
  const by = installedBy === '' ? texts('licence.by-operator') : installedBy
  return [
    { label: texts('licence.holder'), value: <span translate="no">{holder}</span> },
    { label: texts('licence.from'), value: day(startsAt) },
    { label: texts('licence.until'), value: until },
    {
      label: texts('licence.activated'),
      value: activatedAt === null ? '' : texts('licence.activated.by', { time: formatTime(activatedAt / 1000), by }),
    },
  ]
}

function Limits({ status: { users, clients, bandwidthMbps, traffic, features } }: { readonly status: LicenceStatus }) {
  const texts = useTexts()
  const limit = (value: number | null): string => (value === null ? texts('licence.unlimited') : String(value))
  const usage = (label: string, used: number, total: number, text: string): Fact => ({
    label,
    value: (
      <div className={styles['usage']}>
        <span>{text}</span>
        <ProgressBar label={label} value={total === 0 ? 1 : used / total} tone={used >= total ? 'error' : 'active'} />
      </div>
    ),
  })
  const size = (bytes: number): string => formatSize(bytes, texts.locale)
  const { isCounted, usedBytes, totalBytes } = traffic
  const trafficText =
    totalBytes === null
      ? size(usedBytes)
      : texts('licence.traffic.of', {
          used: size(usedBytes),
          total: size(totalBytes),
          left: size(traffic.leftBytes ?? 0),
        })
  const facts: readonly Fact[] = [
    users.limit === null
      ? { label: texts('licence.users'), value: texts('licence.users.unlimited', { used: users.used }) }
      : usage(
          texts('licence.users'),
          users.used,
          users.limit,
          texts('licence.users.of', { used: users.used, limit: users.limit }),
        ),
    { label: texts('licence.clients'), value: limit(clients.limit) },
    {
      label: texts('licence.bandwidth'),
      value: bandwidthMbps === null ? texts('licence.unlimited') : `${bandwidthMbps} Mbps`,
    },
    !isCounted
      ? { label: texts('licence.traffic'), value: texts('licence.unlimited') }
      : totalBytes === null
        ? { label: texts('licence.traffic'), value: trafficText }
        : usage(texts('licence.traffic'), usedBytes, totalBytes, trafficText),
    {
      label: texts('licence.features'),
      value:
        features.length === 0
          ? texts('licence.features.none')
          : features.map((feature) => texts(`licence.feature.${feature}`)).join(texts('licence.features.join')),
    },
  ]
  return (
    <SectionCard title={texts('licence.limits')}>
      <Facts facts={facts} />
    </SectionCard>
  )
}

function Install({ status }: { readonly status: LicenceStatus }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  const { pending, hasIssuer } = status
  const [turn, setTurn] = useState(0)
  return (
    <SectionCard title={texts('licence.install')} lead={texts('licence.install.lead')}>
      {!hasIssuer && <Notice kind="warning">{texts('licence.no-issuer')}</Notice>}
      {pending !== null && (
        <Notice kind="info">
          {texts('licence.pending', { edition: texts(`licence.edition.${pending.edition}`), holder: pending.holder })}
        </Notice>
      )}
      <SchemaForm
        isGuarded
        key={turn}
        schema={licenceSchema(texts, pending !== null)}
        initial={NOTHING}
        submitLabel={texts('licence.install.submit')}
        onSend={async ({ file, code }) => {
          await api.call(routes.licence.install, { body: { file, code: code.trim() } })
        }}
        onSaved={() => {
          messages.notify('success', texts('licence.installed'))
          setTurn(turn + 1)
          void refresh()
        }}
      />
    </SectionCard>
  )
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  return (
    <FormDialog
      title={texts('licence.remove.title')}
      text={texts('licence.remove.text')}
      submitLabel={texts('licence.remove')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.licence.remove, {})
        void refresh()
        messages.notify('success', texts('licence.removed'))
      }}
    />
  )
}
