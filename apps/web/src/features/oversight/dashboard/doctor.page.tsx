import type { DoctorFinding } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { Stethoscope } from 'lucide-react'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { askProxies } from './ask-proxies.ts'
import styles from './doctor.module.css'
import type { ProxyFinding } from './proxy-checks.ts'

/** What would keep the server from working, and what mends it: seen from the server and from this browser. */
export function DoctorPage() {
  return useTextBundle('dashboard') ? <Doctor /> : null
}

interface Examination {
  readonly findings: readonly DoctorFinding[]
  readonly ways: readonly ProxyFinding[]
}

function Doctor() {
  const texts = useTexts()
  const { isRunning, result, failure, run, cancel } = useExamination()
  const actions = isRunning ? (
    <Button onClick={cancel}>{texts('common.cancel')}</Button>
  ) : (
    <Button kind="solid" onClick={() => void run()}>
      {texts(result === undefined ? 'doctor.run' : 'doctor.again')}
    </Button>
  )
  return (
    <PageFrame title={texts('doctor.title')} help={texts('doctor.help')} actions={actions} isNarrow>
      <div role="status">{isRunning && texts('doctor.running')}</div>
      <FailureNotice failure={failure} />
      {result === undefined && !isRunning && (
        <div className={styles['none']}>
          <StatePanel
            icon={<Stethoscope size={28} />}
            title={texts('doctor.none.title')}
            text={texts('doctor.none.text')}
          />
        </div>
      )}
      {result !== undefined && (
        <>
          <SectionCard title={texts('doctor.server')} lead={texts('doctor.server.lead')}>
            <ul className={styles['list']}>
              {result.findings.map((found) => (
                <ServerFinding key={found.check} found={found} />
              ))}
            </ul>
          </SectionCard>
          <SectionCard title={texts('doctor.browser')} lead={texts('doctor.browser.lead')}>
            <ul className={styles['list']}>
              {result.ways.map((found) => (
                <WayFinding key={found.check} found={found} />
              ))}
            </ul>
          </SectionCard>
        </>
      )}
    </PageFrame>
  )
}

/** One examination at a time; leaving the page ends it. */
function useExamination() {
  const { api, clock } = useServices()
  const [isRunning, setRunning] = useState(false)
  const [result, setResult] = useState<Examination>()
  const [failure, setFailure] = useState<unknown>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const run = async (): Promise<void> => {
    const own = new AbortController()
    stop.current = own
    setRunning(true)
    setFailure(undefined)
    try {
      const { signal } = own
      const [{ findings }, ways] = await Promise.all([
        api.call(routes.serverControl.doctor, {}, { signal }),
        askProxies({ api, clock }, signal),
      ])
      setResult({ findings, ways })
    } catch (thrown) {
      if (!own.signal.aborted) setFailure(thrown)
      own.abort()
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, result, failure, run, cancel: () => stop.current?.abort() }
}

const TONES = { ok: 'good', warning: 'warning', problem: 'bad' } as const

function ServerFinding({ found }: { readonly found: DoctorFinding }) {
  const texts = useTexts()
  const { check, title, state, message, fix, who } = found
  return (
    <li className={styles['finding']} data-check={check} data-state={state}>
      <Tag tone={TONES[state]}>{texts(`doctor.state.${state}`)}</Tag>
      <div className={styles['words']}>
        <h3>{title}</h3>
        <p>{asSentence(message)}</p>
        {state !== 'ok' && fix !== undefined && (
          <p className={styles['fix']}>
            {who !== 'nobody' && <strong>{texts(`doctor.who.${who}`)} </strong>}
            {fix}
          </p>
        )}
      </div>
    </li>
  )
}

/** The command line has these words behind a colon. A path or an address that comes first stays as it is. */
function asSentence(text: string): string {
  return text.replace(/^[a-z]+(?=[ ,]|$)/, (word) => word.charAt(0).toUpperCase() + word.slice(1))
}

function WayFinding({ found: { check, isGood, nginx, caddy, traefik } }: { readonly found: ProxyFinding }) {
  const texts = useTexts()
  return (
    <li className={styles['finding']} data-check={check} data-state={isGood ? 'ok' : 'problem'}>
      <Tag tone={isGood ? 'good' : 'bad'}>{texts(isGood ? 'doctor.state.ok' : 'doctor.state.problem')}</Tag>
      <div className={styles['words']}>
        <h3>{texts(`doctor.way.${check}`)}</h3>
        <p>{texts(isGood ? `doctor.way.${check}.good` : `doctor.way.${check}.bad`)}</p>
        {!isGood && (
          <>
            <p className={styles['fix']}>{texts(`doctor.way.${check}.fix`)}</p>
            <Lines lines={nginx} />
            {[['Caddy', caddy] as const, ['Traefik', traefik] as const].map(([proxy, lines]) =>
              lines.length === 0 ? null : (
                <Fragment key={proxy}>
                  <p className={styles['fix']}>{texts('doctor.way.for', { proxy })}</p>
                  <Lines lines={lines} />
                </Fragment>
              ),
            )}
          </>
        )}
      </div>
    </li>
  )
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <pre className={styles['lines']} translate="no">
      {lines.join('\n')}
    </pre>
  )
}
