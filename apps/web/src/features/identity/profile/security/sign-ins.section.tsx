import type { SignInView } from '@godwit/contract'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { formatTime } from '../../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { Pagination } from '../../../../ui/pagination.tsx'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { EntryList } from '../entry-list.tsx'
import listStyles from '../entry-list.module.css'
import { Loaded } from '../loaded.tsx'
import { deviceName } from './device-name.ts'
import styles from './security.module.css'
import { SIGN_INS_PAGE, useSignIns } from './security-query.ts'

/** Sign-ins of the last 90 days, those that failed too. */
export function SignInsSection() {
  const texts = useTexts()
  const [view, setView] = useState({ page: 1, pageSize: SIGN_INS_PAGE })
  const query = useSignIns(view)
  return (
    <SectionCard title={texts('security.sign-ins')} lead={texts('security.sign-ins.lead')}>
      <Loaded query={query}>
        {({ result, total }) =>
          total === 0 ? (
            <p className={listStyles['none']}>{texts('security.sign-ins.empty')}</p>
          ) : (
            <>
              <EntryList label={texts('security.sign-ins')} entries={result.map((signIn) => entryOf(signIn, texts))} />
              {total > SIGN_INS_PAGE && (
                <div className={styles['pages']}>
                  <Pagination
                    label={texts('security.sign-ins.pages')}
                    page={view.page}
                    pageSize={view.pageSize}
                    total={total}
                    onChange={(page, pageSize) => setView({ page, pageSize })}
                  />
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </SectionCard>
  )
}

function entryOf({ id, at, address, userAgent, method, result }: SignInView, texts: Texts) {
  const isIn = result === 'success'
  return {
    id,
    icon: isIn ? (
      <CircleCheck className={styles['good']} size={20} />
    ) : (
      <CircleAlert className={styles['bad']} size={20} />
    ),
    title: texts(`security.sign-ins.result.${result}`),
    facts: [
      formatTime(at / 1000),
      <span key="address" translate="no">
        {address}
      </span>,
      <span key="device" title={userAgent} translate="no">
        {deviceName(userAgent, texts)}
      </span>,
      ...(isIn ? [texts(`security.sign-ins.method.${method}`)] : []),
    ],
  }
}
