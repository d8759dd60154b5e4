import type { CertificateView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable, TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { FormDialog, SchemaForm } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { namesIn, NOTHING, pairSchema, selfSignedSchema } from './certificate-schema.tsx'

const KEY = 'certificates'
const LOOK_MS = 60_000

/** The certificate that HTTPS connections are shown: how long it lasts, and another one in its place. */
export function CertificatesPage() {
  const texts = useTexts()
  const { api } = useServices()
  const [question, setQuestion] = useState<'self-signed' | 'remove'>()
  const query = useQuery({
    queryKey: ['console', KEY],
    queryFn: ({ signal }) => api.call(routes.certificates.list, {}, { signal, quiet: true }),
    refetchInterval: LOOK_MS,
  })
  const close = (): void => setQuestion(undefined)
  const make = (
    <>
      <Link to="/admin/certificates/acme">{texts('acme.title')}</Link>
      <Button onClick={() => setQuestion('self-signed')}>{texts('certificates.self-signed')}</Button>
    </>
  )
  return (
    <LoadedPage title={texts('certificates.title')} query={query}>
      {({ current, history, siteHost, httpsPort }) => (
        <PageFrame title={texts('certificates.title')} help={texts('certificates.help')} actions={make} isNarrow>
          <SectionCard
            title={texts('certificates.current')}
            lead={
              httpsPort === null ? texts('certificates.no-https') : texts('certificates.https', { port: httpsPort })
            }
            {...(current === null
              ? {}
              : { action: <Button onClick={() => setQuestion('remove')}>{texts('certificates.remove')}</Button> })}
          >
            {current === null ? <None /> : <Current certificate={current} />}
          </SectionCard>
          <Upload />
          {history.length > 0 && <History rows={history} />}
          {question === 'self-signed' && <SelfSignedDialog siteHost={siteHost} onClose={close} />}
          {question === 'remove' && <RemoveDialog onClose={close} />}
        </PageFrame>
      )}
    </LoadedPage>
  )
}

function None() {
  const texts = useTexts()
  return (
    <StatePanel
      icon={<ShieldOff size={28} />}
      title={texts('certificates.none.title')}
      text={texts('certificates.none.text')}
    />
  )
}

function Current({ certificate }: { readonly certificate: CertificateView }) {
  const texts = useTexts()
  const { warnings, names, subject, issuer, chain, bits, fingerprint, source, addedAt, addedBy } = certificate
  const exact = (text: string) => <span translate="no">{text}</span>
  const by = addedBy === '' ? texts('certificates.by-operator') : addedBy
  return (
    <>
      {warnings.map((warning) => (
        <Notice key={warning} kind={warning === 'expired' ? 'error' : 'warning'}>
          {texts(`certificates.warning.${warning}`)}
        </Notice>
      ))}
      <Facts
        facts={[
          { label: texts('certificates.names'), value: exact(names.join(', ')) },
          { label: texts('certificates.validity'), value: validityOf(certificate, texts) },
          { label: texts('certificates.subject'), value: exact(subject) },
          { label: texts('certificates.issuer'), value: exact(issuer) },
          { label: texts('certificates.chain'), value: chain.length === 0 ? '' : exact(chain.join(' › ')) },
          { label: texts('certificates.key'), value: texts('certificates.key.rsa', { bits }) },
          { label: texts('certificates.fingerprint'), value: <code translate="no">{fingerprint}</code> },
          { label: texts('certificates.source'), value: texts(`certificates.source.${source}`) },
          {
            label: texts('certificates.added'),
            value: texts('certificates.added.by', { time: formatTime(addedAt / 1000), by }),
          },
        ]}
      />
    </>
  )
}

function validityOf({ notBefore, notAfter, daysLeft }: CertificateView, texts: Texts): string {
  const [from, until] = [notBefore, notAfter].map((at) => formatTime(at / 1000).slice(0, 10))
  return texts('certificates.validity.days', { from: from ?? '', until: until ?? '', days: Math.max(0, daysLeft) })
}

function Upload() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  const [turn, setTurn] = useState(0)
  return (
    <SectionCard title={texts('certificates.upload')} lead={texts('certificates.upload.lead')}>
      <SchemaForm
        isGuarded
        // The key does not stay in the page.
        key={turn}
        schema={pairSchema(texts)}
        initial={NOTHING}
        submitLabel={texts('certificates.upload.submit')}
        onSend={async ({ certificate, key }) => {
          await api.call(routes.certificates.upload, { body: { certificate, key } })
        }}
        onSaved={() => {
          messages.notify('success', texts('certificates.in-force'))
          setTurn(turn + 1)
          void refresh()
        }}
      />
    </SectionCard>
  )
}

function History({ rows }: { readonly rows: readonly CertificateView[] }) {
  const texts = useTexts()
  return (
    <SectionCard title={texts('certificates.history')} lead={texts('certificates.history.lead')}>
      <DataTable
        label={texts('certificates.history')}
        columns={columnsOf(texts)}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={({ names }) => names[0] ?? ''}
        empty={null}
      />
    </SectionCard>
  )
}

function columnsOf(texts: Texts): ReadonlyArray<Column<CertificateView>> {
  return [
    {
      id: 'names',
      header: texts('certificates.names'),
      narrow: 'title',
      width: 'minmax(160px, 2fr)',
      cell: ({ names }) => (
        <span translate="no" title={names.join(', ')}>
          {names.join(', ')}
        </span>
      ),
    },
    {
      id: 'source',
      header: texts('certificates.source'),
      width: '130px',
      cell: ({ source }) => texts(`certificates.source.${source}`),
    },
    {
      id: 'until',
      header: texts('certificates.until'),
      width: '120px',
      cell: ({ notAfter }) => formatTime(notAfter / 1000).slice(0, 10),
    },
    {
      id: 'added',
      header: texts('certificates.added'),
      width: TIME_WIDTH,
      cell: ({ addedAt }) => formatTime(addedAt / 1000),
    },
  ]
}

function SelfSignedDialog({ siteHost, onClose }: { readonly siteHost: string; readonly onClose: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  return (
    <FormDialog
      title={texts('certificates.self-signed')}
      text={texts('certificates.self-signed.text')}
      submitLabel={texts('certificates.self-signed.submit')}
      schema={selfSignedSchema(texts)}
      initial={{ names: siteHost || location.hostname }}
      onClose={onClose}
      onSend={async ({ names }) => {
        await api.call(routes.certificates.selfSigned, { body: { names: [...namesIn(names)] } })
        void refresh()
        messages.notify('success', texts('certificates.in-force'))
      }}
    />
  )
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(KEY)
  return (
    <FormDialog
      title={texts('certificates.remove.title')}
      text={texts('certificates.remove.text')}
      submitLabel={texts('certificates.remove')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.certificates.remove, {})
        void refresh()
        messages.notify('success', texts('certificates.removed'))
      }}
    />
  )
}
