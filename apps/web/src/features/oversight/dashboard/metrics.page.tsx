import type { MetricsTokenInfo } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { useRunAlone } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import styles from './metrics.module.css'

const KEY = ['console', 'metrics-token']

/** Figures for Prometheus: whether they are on, and the token that reads them. */
export function MetricsPage() {
  return useTextBundle('dashboard') ? <Metrics /> : null
}

function Metrics() {
  const texts = useTexts()
  const { api } = useServices()
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.call(routes.metrics.token, {}, { signal }),
  })
  return (
    <LoadedPage title={texts('metrics.title')} query={query}>
      {(info) => (
        <PageFrame
          title={texts('metrics.title')}
          help={texts('metrics.help', { address: `${location.origin}/metrics` })}
          isNarrow
        >
          <TokenCard info={info} />
        </PageFrame>
      )}
    </LoadedPage>
  )
}

/** The token of this visit, and what changes it. */
function useToken() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const client = useQueryClient()
  const [token, setToken] = useState<string>()
  const { isBusy, runAlone } = useRunAlone()
  const change = (work: () => Promise<string | undefined>): Promise<void> =>
    runAlone(async () => {
      try {
        setToken(await work())
        await client.invalidateQueries({ queryKey: KEY })
      } catch (error) {
        messages.fail(error, texts)
      }
    })
  const create = () => change(async () => (await api.call(routes.metrics.createToken, {})).token)
  const remove = () =>
    change(async () => {
      await api.call(routes.metrics.removeToken, {})
      return undefined
    })
  return { token, isBusy, create, remove }
}

function TokenCard({ info }: { readonly info: MetricsTokenInfo }) {
  const texts = useTexts()
  const { token, isBusy, create, remove } = useToken()
  const [question, setQuestion] = useState<'renew' | 'remove'>()
  const state = info.isSet
    ? texts('metrics.on', { time: formatTime((info.createdAt ?? 0) / 1000), account: info.createdBy })
    : texts('metrics.off')
  return (
    <SectionCard
      title={texts('metrics.token')}
      lead={state}
      action={
        <div className={styles['actions']}>
          {info.isSet && (
            <Button kind="danger" disabled={isBusy} onClick={() => setQuestion('remove')}>
              {texts('metrics.remove')}
            </Button>
          )}
          <Button
            kind={info.isSet ? 'outline' : 'solid'}
            disabled={isBusy}
            onClick={() => (info.isSet ? setQuestion('renew') : void create())}
          >
            {texts(info.isSet ? 'metrics.renew' : 'metrics.create')}
          </Button>
        </div>
      }
    >
      {token !== undefined && <FreshToken token={token} />}
      <figure className={styles['config']}>
        <figcaption>{texts('metrics.config')}</figcaption>
        <pre translate="no">{configOf(location)}</pre>
      </figure>
      {question !== undefined && (
        <ConfirmAction
          title={texts(`metrics.${question}.title`)}
          text={texts(`metrics.${question}.text`)}
          submitLabel={texts(`metrics.${question}`)}
          onConfirm={() => void (question === 'renew' ? create() : remove())}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </SectionCard>
  )
}

function FreshToken({ token }: { readonly token: string }) {
  const texts = useTexts()
  const copy = useCopy()
  const shown = useRef<HTMLElement>(null)
  return (
    <div className={styles['fresh']} role="status">
      <p>{texts('metrics.token.once')}</p>
      <div className={styles['token']}>
        <code ref={shown} translate="no" data-testid="metrics-token">
          {token}
        </code>
        <Button onClick={() => void copy(token, { shown: shown.current, message: texts('metrics.copied') })}>
          {texts('common.copy')}
        </Button>
      </div>
    </div>
  )
}

function configOf({ protocol, host }: Pick<Location, 'protocol' | 'host'>): string {
  return [
    'scrape_configs:',
    '  - job_name: godwit',
    `    scheme: ${protocol.replace(':', '')}`,
    '    authorization:',
    '      credentials_file: /etc/prometheus/godwit.token',
    '    static_configs:',
    `      - targets: ['${host}']`,
  ].join('\n')
}
