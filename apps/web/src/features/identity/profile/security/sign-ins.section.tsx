import type { SignInView } from '@godwit/contract'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { formatTime } from '../../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { DataTable, type Column, TIME_WIDTH } from '../../../../ui/data-table/index.ts'
import { Pagination } from '../../../../ui/pagination.tsx'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { deviceName } from '../../../../lib/device-name.ts'
import styles from './security.module.css'
import { SIGN_INS_PAGE, useSignIns } from './security-query.ts'

/** Sign-ins of the last 90 days, those that failed too. */
export function SignInsSection() {
  const texts = useTexts()
  const [view, setView] = useState({ page: 1, pageSize: SIGN_INS_PAGE })
  const { data, error, refetch } = useSignIns(view)
  const total = data?.total ?? 0
  return (
    <SectionCard title={texts('security.sign-ins')} lead={texts('security.sign-ins.lead')}>
      <DataTable
        label={texts('security.sign-ins')}
        columns={columnsOf(texts)}
        rows={data?.result}
        error={error}
        onRetry={() => void refetch()}
        idOf={({ id }) => id}
        nameOf={({ at }) => formatTime(at / 1000)}
        empty={<p className={styles['none']}>{texts('security.sign-ins.empty')}</p>}
        density="compact"
      />
      {total > SIGN_INS_PAGE && (
        <Pagination
          label={texts('security.sign-ins.pages')}
          page={view.page}
          pageSize={view.pageSize}
          total={total}
          onChange={(page, pageSize) => setView({ page, pageSize })}
        />
      )}
    </SectionCard>
  )
}

function columnsOf(texts: Texts): ReadonlyArray<Column<SignInView>> {
  return [
    {
      id: 'result',
      header: texts('security.sign-ins.result'),
      narrow: 'title',
      cell: ({ result, method }) => (
        <>
          {result === 'success' ? (
            <CircleCheck className={styles['good']} size={18} aria-hidden="true" />
          ) : (
            <CircleAlert className={styles['bad']} size={18} aria-hidden="true" />
          )}
          {texts(`security.sign-ins.result.${result}`)}
          {result === 'success' && (
            <span className={styles['aside']}>{texts(`security.sign-ins.method.${method}`)}</span>
          )}
        </>
      ),
    },
    {
      id: 'device',
      header: texts('security.sessions.device'),
      width: 'minmax(0, max-content)',
      cell: ({ userAgent }) => (
        <span title={userAgent} translate="no">
          {deviceName(userAgent, texts)}
        </span>
      ),
    },
    {
      id: 'address',
      header: texts('security.address'),
      width: 'minmax(0, max-content)',
      cell: ({ address }) => <span translate="no">{address}</span>,
    },
    {
      id: 'time',
      header: texts('security.sign-ins.time'),
      width: TIME_WIDTH,
      cell: ({ at }) => formatTime(at / 1000),
    },
  ]
}
