import type { LinkRecord, LinkUse } from '@godwit/contract'
import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { CalendarPlus, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { GuestWords } from '../guest-words/index.ts'
import { canExtend } from './link-actions.ts'
import { fullAddress } from './link-address.ts'
import { audienceText, Expires, placeOf, sharedNames } from './link-columns.tsx'
import { LinkRequested } from './link-requested.tsx'
import { LinkRecipients } from './link-recipients.tsx'
import { LinkState } from './link-state.tsx'
import { useLinkUses } from './links-query.ts'
import styles from './link-detail.module.css'
import shared from './links.module.css'
import { useLinkCommands } from './use-link-commands.ts'

/** Names of a fact; more would push the others out of sight. */
const MISSING_NAMED = 10

export interface LinkDetailProps {
  readonly record: LinkRecord
  readonly onEdit: (record: LinkRecord) => void
  readonly onClose: () => void
}

/** Everything about one link, and who used it. */
export function LinkDetail({ record, onEdit, onClose }: LinkDetailProps) {
  const texts = useTexts()
  const { extend } = useLinkCommands()
  return (
    <Drawer
      title={sharedNames(record, texts)}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          {canExtend(record) && (
            <Button kind="solid" onClick={() => void extend([record.linkId])}>
              <CalendarPlus size={16} aria-hidden="true" />
              {texts('links.extend')}
            </Button>
          )}
          <Button onClick={() => onEdit(record)}>{texts('links.edit')}</Button>
        </>
      }
    >
      <div className={styles['detail']} data-testid="link-detail">
        <Address record={record} />
        <Facts record={record} />
        {(record.shareEmail.length > 0 || record.audience.kind !== 'anyone') && <LinkRecipients record={record} />}
        {record.request !== null && <LinkRequested linkId={record.linkId} />}
        <Uses record={record} />
      </div>
    </Drawer>
  )
}

function Address({ record }: { readonly record: LinkRecord }) {
  const texts = useTexts()
  const copy = useCopy()
  const address = fullAddress(record.shareLink)
  return (
    <div className={styles['addressLine']}>
      <output className={styles['address']} translate="no">
        {address}
      </output>
      <IconButton
        label={texts('links.copy-link')}
        icon={<Copy size={18} aria-hidden="true" />}
        onClick={() => void copy(address, { message: texts('links.copied') })}
      />
      <div className={styles['smallQr']}>
        <QrCode text={address} label={texts('links.qr')} />
      </div>
    </div>
  )
}

function Facts({ record }: { readonly record: LinkRecord }) {
  const texts = useTexts()
  const { clock } = useServices()
  const { sharePassword, account, creatorEmail, shareCreateTime, needEmail, notifyEmail, audience } = record
  const isShare = record.shareUrlType === SHARE_URL_TYPE.download
  return (
    <dl className={styles['facts']}>
      <Fact name={texts('links.status')}>
        <LinkState record={record} />
      </Fact>
      {record.missing.length > 0 && (
        <Fact name={texts('links.missing')}>
          {texts('links.missing.text', { names: record.missing.slice(0, MISSING_NAMED).join(', ') })}
        </Fact>
      )}
      <Fact name={texts('links.place')}>
        <span translate="no">{placeOf(record, texts)}</span>
      </Fact>
      <Fact name={texts('links.audience')}>{audienceText(record, texts)}</Fact>
      {audience.kind === 'anyone' && <PasswordFact password={sharePassword} />}
      <Fact name={texts('links.column.expires')}>
        <Expires record={record} texts={texts} now={clock.now()} />
      </Fact>
      <Fact name={texts('links.column.created')}>{formatTime(shareCreateTime)}</Fact>
      <Fact name={texts('links.creator')}>
        <span translate="no">{creatorEmail === '' ? account : `${account} (${creatorEmail})`}</span>
      </Fact>
      {isShare && (
        <Fact name={texts('links.allow-download')}>
          {texts(record.shareAllowDownload === 1 ? 'links.yes' : 'links.no')}
        </Fact>
      )}
      {audience.kind === 'anyone' && (
        <Fact name={texts('links.only-recipients')}>{texts(needEmail ? 'links.yes' : 'links.no')}</Fact>
      )}
      <Fact name={texts(isShare ? 'links.notify-download' : 'links.notify-upload')}>
        {texts(notifyEmail ? 'links.yes' : 'links.no')}
      </Fact>
      {audience.kind === 'anyone' && <BindingFact record={record} />}
      {record.description !== '' && <Fact name={texts('links.description')}>{record.description}</Fact>}
    </dl>
  )
}

function PasswordFact({ password }: { readonly password: string }) {
  const texts = useTexts()
  const copy = useCopy()
  return (
    <Fact name={texts('links.password')}>
      {password === '' ? (
        '-'
      ) : (
        <>
          <code translate="no">{password}</code>
          <IconButton
            label={texts('links.password-copy')}
            icon={<Copy size={16} aria-hidden="true" />}
            onClick={() => void copy(password, { message: texts('links.password-copied') })}
          />
        </>
      )}
    </Fact>
  )
}

function BindingFact({ record }: { readonly record: LinkRecord }) {
  const texts = useTexts()
  const { unbind } = useLinkCommands()
  const { bindSwitch, bindDevice } = record
  return (
    <Fact name={texts('links.bind')}>
      {bindSwitch ? (
        <>
          <span translate="no">{bindDevice === '' ? texts('links.unused') : bindDevice}</span>
          {bindDevice !== '' && <Button onClick={() => void unbind(record)}>{texts('links.unbind')}</Button>}
        </>
      ) : (
        texts('links.no')
      )}
    </Fact>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Uses({ record }: { readonly record: LinkRecord }) {
  const texts = useTexts()
  const [page, setPage] = useState(1)
  const { data, error } = useLinkUses(record.linkId, page)
  const isShare = record.shareUrlType === SHARE_URL_TYPE.download
  return (
    <section aria-labelledby="uses-title">
      <h3 id="uses-title">{texts(isShare ? 'links.uses.download' : 'links.uses.upload')}</h3>
      <FailureNotice failure={error} />
      {data?.total === 0 && <p className={shared['note']}>{texts('links.uses.none')}</p>}
      <ul className={styles['uses']}>
        {data?.items.map((use) => (
          <Use key={`${use.time} ${use.address} ${use.files.join()}`} use={use} />
        ))}
      </ul>
      {data !== undefined && data.total > data.size && (
        <div className={shared['buttons']}>
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

function Use({ use: { time, address, files, fileCount, bytes, whole, guest, recipient } }: { readonly use: LinkUse }) {
  const texts = useTexts()
  const [first = ''] = files
  return (
    <li>
      <span translate="no">{fileCount > 1 ? texts('links.names', { name: first, count: fileCount - 1 }) : first}</span>
      {guest.length > 0 && <GuestWords guest={guest} />}
      <small>
        {[
          formatTime(time),
          ...(recipient === '' ? [] : [recipient]),
          address,
          formatSize(bytes, texts.locale),
          ...(whole ? [] : [texts('links.uses.part')]),
        ].join(' · ')}
      </small>
    </li>
  )
}
