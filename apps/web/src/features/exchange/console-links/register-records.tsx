import type { AdminLink, AdminLinkDetail, AdminLinkUse } from '@godwit/contract'
import { useState } from 'react'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { GuestWords } from '../guest-words/index.ts'
import styles from './registers.module.css'
import { useRegisteredUses } from './registers-source.ts'

/** Who used a link: from where, which files, when, how much, and whether all of it. */
export function RegisterRecords({ link: { id, kind } }: { readonly link: AdminLink }) {
  const texts = useTexts()
  const [page, setPage] = useState(1)
  const { data, error } = useRegisteredUses(id, page)
  return (
    <section aria-labelledby="records-title">
      <h3 id="records-title" className={styles['heading']}>
        {texts(kind === 'share' ? 'links.uses.download' : 'links.uses.upload')}
      </h3>
      <FailureNotice failure={error} />
      {data?.total === 0 && <p className={styles['none']}>{texts('links.uses.none')}</p>}
      <ul className={styles['records']}>
        {data?.rows.map((use) => (
          <Record key={use.id} use={use} />
        ))}
      </ul>
      {data !== undefined && data.total > data.size && (
        <div className={styles['pages']}>
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            {texts('form.back')}
          </Button>
          <Button disabled={page * data.size >= data.total} onClick={() => setPage(page + 1)}>
            {texts('form.next')}
          </Button>
        </div>
      )}
    </section>
  )
}

function Record({ use: { at, address, files, fileCount, bytes, whole, guest } }: { readonly use: AdminLinkUse }) {
  const texts = useTexts()
  const [first = ''] = files
  return (
    <li>
      <span translate="no">{fileCount > 1 ? texts('links.names', { name: first, count: fileCount - 1 }) : first}</span>
      {guest.length > 0 && <GuestWords guest={guest} />}
      <small>
        {[
          formatTime(at / 1000),
          address,
          formatSize(bytes, texts.locale),
          ...(whole ? [] : [texts('links.uses.part')]),
        ].join(' · ')}
      </small>
    </li>
  )
}

/** What became of a link, and by whom; the newest first. */
export function RegisterHistory({ history }: Pick<AdminLinkDetail, 'history'>) {
  const texts = useTexts()
  return (
    <section aria-labelledby="history-title">
      <h3 id="history-title" className={styles['heading']}>
        {texts('registers.history')}
      </h3>
      <ul className={styles['records']}>
        {history.map(({ change, at, account }, index) => (
          // Steps of one moment may be alike; the list is not edited.
          <li key={`${at} ${change} ${history.length - index}`}>
            <span>{texts(`registers.change.${change}`)}</span>
            <small>
              {formatTime(at / 1000)} ·{' '}
              <span translate="no">{account === '' ? texts('registers.server') : account}</span>
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
